import { formatCount } from '#client/text/format.ts'
import { toastFailure, toastSuccess, toastUndo, UNDO_MS } from '#client/ui/toasts/toasts.tsx'
import { failureText } from './failure-text.ts'
import { trpc } from './trpc.ts'
import { useReadOnlyGuard, useReadOnlyReason } from './use-read-only.ts'

/** The actions on notifications, wherever they are listed. Afterwards all lists and counts are fetched again. */
export function useNotificationActions() {
  const utils = trpc.useUtils()
  const handlers = (failed: string) => ({
    onSuccess: () => utils.notifications.invalidate(),
    onError: (error: unknown) => toastFailure(failureText(error, { failed })),
  })
  const restore = trpc.notifications.restore.useMutation({
    ...handlers('Failed to restore the notifications'),
    onSuccess: ({ restored }) => {
      toastSuccess(`${countText(restored)} restored`)
      return utils.notifications.invalidate()
    },
  })
  const undo = (since: Date) => restore.mutate({ since: since.toISOString() })
  const isReadOnly = useReadOnlyReason() !== undefined
  const isRefused = useReadOnlyGuard()
  const markRead = trpc.notifications.markRead.useMutation(handlers('Failed to mark the notification as read'))
  const remove = trpc.notifications.remove.useMutation({
    ...handlers('Failed to clear the notification'),
    onSuccess: ({ clearedAt }) => {
      offerUndo({ clearedAt, count: 1 }, undo)
      return utils.notifications.invalidate()
    },
  })
  return {
    /** Silent in a read-only account, as a notification is marked when it is followed. */
    markRead: (id: number) => isReadOnly || markRead.mutate({ id }),
    remove: (id: number) => isRefused() || remove.mutate({ id }),
    markAllRead: trpc.notifications.markAllRead.useMutation(handlers('Failed to mark all notifications as read')),
    clear: trpc.notifications.clear.useMutation({
      ...handlers('Failed to clear the notifications'),
      onSuccess: ({ clearedAt }) => {
        offerUndo({ clearedAt, count: 'All' }, undo)
        return utils.notifications.invalidate()
      },
    }),
  }
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
