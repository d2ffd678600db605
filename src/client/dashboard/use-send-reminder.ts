import { useState } from 'react'
import { failureText } from '#client/api/failure-text.ts'
import { useReadOnlyGuard, useReadOnlyReason } from '#client/api/use-read-only.ts'
import { trpc, type Outputs } from '#client/api/trpc.ts'
import { toastFailure, toastSuccess, toastUndo } from '#client/ui/toasts/toasts.tsx'

const FAILURE = { failed: 'Failed to send reminder', network: 'Network error' }

type Dashboard = Outputs['dashboard']['get']

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

export function useSendReminder(dashboard: Dashboard | undefined): ReminderControl {
  const utils = trpc.useUtils()
  const undo = useUndoReminder()
  const isRefused = useReadOnlyGuard()
  const isReadOnly = useReadOnlyReason() !== undefined
  const [busy, setBusy] = useState<number[]>([])
  const plan = trpc.contracts.planReminder.useMutation({
    onMutate: ({ id }) => setBusy((before) => [...before, Number(id)]),
    onSuccess: ({ customerName, goesOutAt }, { id }) => {
      utils.dashboard.get.setData(
        undefined,
        (before) => before && withPlanned(before, { contractId: Number(id), goesOutAt }),
      )
      toastUndo(`Reminder to ${customerName} goes out in 10 seconds`, () => undo.mutateAsync({ id }))
    },
    onError: (error) => toastFailure(failureText(error, FAILURE)),
    onSettled: (_planned, _error, { id }) => {
      setBusy((before) => before.filter((one) => one !== Number(id)))
      // Also after a refusal, since another window may have sent one.
      return utils.dashboard.invalidate()
    },
  })
  // The cache has the new plan before this component re-renders.
  const known = utils.dashboard.get.getData() ?? dashboard
  const stateOf = (id: number) => {
    if (busy.includes(id)) return 'busy'
    if (known?.remindedToday.includes(id)) return 'sent'
    return known?.plannedReminders.some(({ contractId }) => contractId === id) ? 'planned' : 'idle'
  }
  const send = ({ id, customerName }: Contract) => {
    const state = stateOf(id)
    if (state === 'idle' && !isRefused()) plan.mutate({ id })
    if (state === 'planned') toastSuccess(`The reminder to ${customerName} is already on its way`)
  }
  return { stateOf, send, isReadOnly }
}

function useUndoReminder() {
  const utils = trpc.useUtils()
  return trpc.contracts.undoReminder.useMutation({
    onSuccess: () => toastSuccess('The reminder will not be sent'),
    onError: (error) => toastFailure(failureText(error, { failed: 'Failed to undo the reminder' })),
    onSettled: () => utils.dashboard.invalidate(),
  })
}

function withPlanned(dashboard: Dashboard, planned: Dashboard['plannedReminders'][number]): Dashboard {
  return { ...dashboard, plannedReminders: [...dashboard.plannedReminders, planned] }
}
