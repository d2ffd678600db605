import { useState } from 'react'
import type { Day } from '#shared/domain/day.ts'
import { failureText } from '#client/api/failure-text.ts'
import { trpc } from '#client/api/trpc.ts'
import { useAccountToday } from '#client/api/use-account-today.ts'
import { useReadOnlyGuard } from '#client/api/use-read-only.ts'
import { useRefresh } from '#client/api/use-refresh.ts'
import { formatDay } from '#client/text/format.ts'
import { useDialogAbout } from '#client/ui/dialogs/use-dialog-about.ts'
import { onDemand } from '#client/ui/on-demand.tsx'
import { toastFailure, toastSuccess, toastUndo } from '#client/ui/toasts/toasts.tsx'
import { MOVE_FAILURE, type Move, type SaveMove } from './renewal-move.ts'
import type { Contract } from './use-contract-acts.ts'

const Dialog = onDemand(async () => (await import('./move-dialog.tsx')).MoveDialog)

/** Moves renewals to other days. A toast says so, with a button that writes the old date back. */
export function useMoveRenewal() {
  const [moving, setMoving] = useState<Move>()
  const asking = useDialogAbout<Move>()
  const { client } = trpc.useUtils()
  const isRefused = useReadOnlyGuard()
  const today = useAccountToday()
  const save = useSaveRenewalDate()
  const ask = (contract: Contract, to: Day = contract.renewalDate) => isRefused() || asking.open({ contract, to })

  /** Whether the customer gets no email about it today. */
  const isSilent = async ({ id, customerId, status }: Contract, to: Day) => {
    const planned = { id, customerId, renewalDate: to, status }
    const mail = await client.reminders.announceMail.query(planned).catch(() => undefined)
    return mail !== undefined && (mail.first === null || mail.first > today())
  }
  /** Asks first if it is not silent. */
  const move = async (contract: Contract, to: Day) => {
    if (to === contract.renewalDate || moving || isRefused()) return
    setMoving({ contract, to })
    if (await isSilent(contract, to))
      await save({ contract, to }).catch((error) => toastFailure(failureText(error, MOVE_FAILURE)))
    else asking.open({ contract, to })
    setMoving(undefined)
  }
  return {
    moving,
    move: (contract: Contract, to: Day) => void move(contract, to),
    ask: (contract: Contract, to?: Day) => void ask(contract, to),
    isSilent,
    prefetch: Dialog.prefetch,
    dialog: (
      <Dialog.Part
        wanted={asking.opened}
        opened={asking.opened}
        move={asking.about}
        save={save}
        onClose={asking.close}
      />
    ),
  }
}

/** Resolves once the calendar has been read again. */
function useSaveRenewalDate(): SaveMove {
  const { client } = trpc.useUtils()
  const refresh = useRefresh()
  const update = trpc.contracts.update.useMutation({ onSettled: refresh })
  const undo = trpc.contracts.update.useMutation({
    onSuccess: ({ customerName, renewalDate }) =>
      toastSuccess(`Undone: the contract with ${customerName} renews on ${formatDay(renewalDate)}`),
    onError: (error) => toastFailure(failureText(error, { failed: 'Failed to undo', network: 'Network error' })),
    onSettled: refresh,
  })
  return async ({ contract, to, isMuted = false }) => {
    const { id, version, renewalDate: before } = contract
    // Only one date can have its emails off. Undo turns those of the old one off again, or those of the new one on.
    const wasMuted = isMuted && (await client.reminders.ofContract.query({ id })).isMuted
    const restored = { reminders: wasMuted ? 'off' : 'on' } as const
    const saved = await update.mutateAsync({ id, version, renewalDate: to, ...(isMuted && { reminders: 'off' }) })
    const text = `The contract with ${saved.customerName} now renews on ${formatDay(to)}`
    const undone = { id, version: saved.version, renewalDate: before, ...(isMuted && restored) }
    toastUndo(text, () => undo.mutateAsync(undone))
  }
}
