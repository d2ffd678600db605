import { useState } from 'react'
import { failureText } from '#client/api/failure-text.ts'
import { useReadOnlyGuard, useReadOnlyReason } from '#client/api/use-read-only.ts'
import { trpc, type Outputs } from '#client/api/trpc.ts'
import { toastFailure, toastSuccess, toastUndo } from '#client/ui/toasts/toasts.tsx'

const FAILURE = { failed: 'Failed to send reminder', network: 'Network error' }
const WATCH_MS = 5000
const SOON_MS = 30_000

/** What is known of today's reminders. */
export type TodaysReminders = Pick<Outputs['dashboard']['get'], 'remindedToday' | 'plannedReminders'>
type Planned = TodaysReminders['plannedReminders'][number]

/** Where a screen has that from. */
export interface ReminderSource {
  /** As it is cached now, which has a new plan before the screen re-renders. */
  known: () => TodaysReminders | undefined
  /** Caches a reminder that was just planned. */
  addPlanned: (planned: Planned) => void
}

interface Contract {
  id: number
  customerName: string
}

export interface ReminderControl {
  /** The state of today's reminder to a contract's customer. */
  stateOf: (contractId: number) => 'idle' | 'busy' | 'planned' | 'sent'
  /** Plans it, with 10 seconds to undo it. Does nothing if one is planned or was sent today. */
  send: (contract: Contract) => void
  /** Nothing can be sent, and a press says why. */
  isReadOnly: boolean
}

export function useSendReminder({ known, addPlanned }: ReminderSource): ReminderControl {
  const refetch = useRefetchReminders()
  const undo = useUndoReminder()
  const isRefused = useReadOnlyGuard()
  const isReadOnly = useReadOnlyReason() !== undefined
  const [busy, setBusy] = useState<number[]>([])
  const plan = trpc.contracts.planReminder.useMutation({
    onMutate: ({ id }) => setBusy((before) => [...before, Number(id)]),
    onSuccess: ({ customerName, goesOutAt }, { id }) => {
      addPlanned({ contractId: Number(id), goesOutAt })
      toastUndo(`Reminder to ${customerName} goes out in 10 seconds`, () => undo.mutateAsync({ id }))
    },
    onError: (error) => toastFailure(failureText(error, FAILURE)),
    onSettled: (_planned, _error, { id }) => {
      setBusy((before) => before.filter((one) => one !== Number(id)))
      // Also after a refusal, since another window may have sent one.
      return refetch()
    },
  })
  const todays = known()
  const stateOf = (id: number) => {
    if (busy.includes(id)) return 'busy'
    if (todays?.remindedToday.includes(id)) return 'sent'
    return todays?.plannedReminders.some(({ contractId }) => contractId === id) ? 'planned' : 'idle'
  }
  const send = ({ id, customerName }: Contract) => {
    const state = stateOf(id)
    if (state === 'idle' && !isRefused()) plan.mutate({ id })
    if (state === 'planned') toastSuccess(`The reminder to ${customerName} is already on its way`)
  }
  return { stateOf, send, isReadOnly }
}

function useUndoReminder() {
  const refetch = useRefetchReminders()
  return trpc.contracts.undoReminder.useMutation({
    onSuccess: () => toastSuccess('The reminder will not be sent'),
    onError: (error) => toastFailure(failureText(error, { failed: 'Failed to undo the reminder' })),
    onSettled: refetch,
  })
}

function useRefetchReminders() {
  const { dashboard, reminders } = trpc.useUtils()
  return () => Promise.all([dashboard.invalidate(), reminders.invalidate()])
}

/** How often to ask whether they have gone out: not for those that the mail server has deferred. */
export function watchInterval(planned: readonly { goesOutAt: Date | null }[] = []): number | false {
  const goesOutSoon = planned.some(({ goesOutAt }) => goesOutAt && goesOutAt.getTime() < Date.now() + SOON_MS)
  return goesOutSoon && WATCH_MS
}

/** Today's reminders with one more that is on its way. */
export function withPlanned<Todays extends TodaysReminders>(todays: Todays, planned: Planned): Todays {
  return { ...todays, plannedReminders: [...todays.plannedReminders, planned] }
}
