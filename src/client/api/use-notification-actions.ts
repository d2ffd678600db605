import { useQueryClient } from '@tanstack/react-query'
import { getQueryKey } from '@trpc/react-query'
import { ignoreSecondClick } from '#client/ui/ignore-second-click.ts'
import { formatCount } from '#client/text/format.ts'
import { toastFailure, toastSuccess, toastUndo, UNDO_MS } from '#client/ui/toasts/toasts.tsx'
import { failureText } from './failure-text.ts'
import { trpc, type Inputs, type Outputs } from './trpc.ts'
import { inRows, useAtOnce, type WithRows } from './use-at-once.ts'
import { useReadOnlyGuard, useReadOnlyReason } from './use-read-only.ts'

/** The actions on notifications, wherever they are listed. */
export function useNotificationActions() {
  const utils = trpc.useUtils()
  const isUnread = useIsUnread()
  const restore = trpc.notifications.restore.useMutation({
    onSuccess: ({ restored }) => toastSuccess(`${countText(restored)} restored`),
    onError: (error) => toastFailure(failureText(error, { failed: 'Failed to restore the notifications' })),
    onSettled: () => utils.notifications.invalidate(),
  })
  const undo = (since: Date) => restore.mutate({ since: since.toISOString() })
  const isReadOnly = useReadOnlyReason() !== undefined
  const isRefused = useReadOnlyGuard()
  const markRead = trpc.notifications.markRead.useMutation(
    useAtOnce('notifications', ({ id }: ById) => withRead(Number(id)), {
      failure: { failed: 'Failed to mark the notification as read' },
    }),
  )
  const remove = trpc.notifications.remove.useMutation({
    ...useAtOnce('notifications', ({ id }: ById) => withoutOne(Number(id), isUnread(Number(id))), {
      failure: { failed: 'Failed to clear the notification' },
    }),
    onSuccess: ({ clearedAt }) => offerUndo({ clearedAt, count: 1 }, undo),
  })
  return {
    /** Silent in a read-only account, as a notification is marked when it is followed. */
    markRead: (id: number) => {
      if (isReadOnly) return
      ignoreSecondClick()
      markRead.mutate({ id })
    },
    remove: (id: number) => {
      if (isRefused()) return
      ignoreSecondClick()
      remove.mutate({ id })
    },
    markAllRead: trpc.notifications.markAllRead.useMutation(
      useAtOnce('notifications', () => withRead(), { failure: { failed: 'Failed to mark all notifications as read' } }),
    ),
    clear: trpc.notifications.clear.useMutation({
      ...useAtOnce('notifications', () => withoutAll, { failure: { failed: 'Failed to clear the notifications' } }),
      onSuccess: ({ clearedAt }) => offerUndo({ clearedAt, count: 'All' }, undo),
    }),
  }
}

type Notification = Outputs['notifications']['list']['rows'][number]
/** A page of them, or how many are unread. */
type Answer = WithRows<Notification> | Outputs['notifications']['unreadCount']
type ById = Inputs['notifications']['remove']

function withRead(id?: number) {
  const inList = inRows<Notification>((one) => ({ ...one, isRead: true }), id)
  return (answer: Answer): Answer => {
    if (!('count' in answer)) return inList(answer)
    return { count: id === undefined ? 0 : Math.max(0, answer.count - 1) }
  }
}

function withoutOne(id: number, wasUnread: boolean) {
  const inList = inRows<Notification>(() => null, id)
  return (answer: Answer): Answer => {
    if (!('count' in answer)) return inList(answer)
    return wasUnread ? { count: Math.max(0, answer.count - 1) } : answer
  }
}

/** Those of other pages are cleared as well. */
function withoutAll(answer: Answer): Answer {
  if ('count' in answer) return { count: 0 }
  return 'rows' in answer ? { ...answer, rows: [], total: 0 } : []
}

/** Whether a notification is unread, by whichever list has it. */
function useIsUnread(): (id: number) => boolean {
  const client = useQueryClient()
  return (id) =>
    client
      .getQueriesData<Outputs['notifications']['list']>({ queryKey: getQueryKey(trpc.notifications.list) })
      .some(([, list]) => list?.rows.some((one) => one.id === id && !one.isRead))
}

interface Cleared {
  clearedAt: Date
  count: number | 'All'
}

/** What the visible toast undoes; notifications cleared meanwhile are added. */
let offered: (Cleared & { until: number; dismiss: () => void }) | undefined

function offerUndo({ clearedAt, count }: Cleared, onUndo: (since: Date) => void): void {
  const now = Date.now()
  const before = offered && now < offered.until ? offered : undefined
  before?.dismiss()
  const since = before?.clearedAt ?? clearedAt
  const all = count === 'All' || before?.count === 'All' ? 'All' : count + (before?.count ?? 0)
  const dismiss = toastUndo(all === 'All' ? 'All notifications cleared' : `${countText(all)} cleared`, () => {
    offered = undefined
    onUndo(since)
  })
  offered = { clearedAt: since, count: all, until: now + UNDO_MS, dismiss }
}

function countText(count: number): string {
  return count === 1 ? '1 notification' : `${formatCount(count)} notifications`
}
