import { isOpen } from '#shared/domain/contract-status.ts'
import { failureText } from '#client/api/failure-text.ts'
import { trpc, type Outputs } from '#client/api/trpc.ts'
import { useReadOnlyGuard } from '#client/api/use-read-only.ts'
import { useRefresh } from '#client/api/use-refresh.ts'
import { formatDay, formatMoney } from '#client/text/format.ts'
import { toastFailure, toastSuccess, toastUndo } from '#client/ui/toasts/toasts.tsx'
import { useIsActing, usePendingActs } from './use-pending-acts.ts'

export type Contract = Outputs['contracts']['get']

const NETWORK = 'Network error'

/** By contract, what removes the toast of its last act: its Undo would undo the next act instead. */
const dismissals = new Map<number, () => void>()

/** Renews, ends, and reopens contracts. A toast says what was done, with a button to undo it. */
export function useContractActs() {
  const refresh = useRefresh()
  const isRefused = useReadOnlyGuard()
  const isActing = useIsActing()
  const isPending = usePendingActs()
  const undo = trpc.contracts.undo.useMutation({
    onSuccess: ({ id, customerName }) => {
      dismissals.get(id)?.()
      toastSuccess(`Undone: the contract with ${customerName} is as it was before`)
    },
    onError: (error) => toastFailure(failureText(error, { failed: 'Failed to undo', network: NETWORK })),
    onSettled: refresh,
  })
  const done = (text: string, { id }: Contract) => {
    dismissals.get(id)?.()
    dismissals.set(
      id,
      toastUndo(text, () => undo.mutateAsync({ id })),
    )
  }
  const renew = trpc.contracts.renew.useMutation({
    onSuccess: (contract) => done(renewedText(contract), contract),
    onSettled: refresh,
  })
  const end = trpc.contracts.end.useMutation({
    onSuccess: (contract) => done(endedText(contract), contract),
    onSettled: refresh,
  })
  const reopen = trpc.contracts.reopen.useMutation({
    onSuccess: (contract) => done(`The contract with ${contract.customerName} is open again`, contract),
    onError: (error) => toastFailure(failureText(error, { failed: 'Failed to reopen contract', network: NETWORK })),
    onSettled: refresh,
  })
  return {
    renew,
    end,
    isRefused,
    isActing,
    isPending,
    /** Renews as scheduled, or as before. */
    renewNow: ({ id, term }: Contract) => {
      if (isRefused() || isActing(id)) return
      renew.mutate(
        { id, term },
        {
          onError: (error) =>
            toastFailure(failureText(error, { failed: 'Failed to renew contract', network: NETWORK })),
        },
      )
    },
    reopen: ({ id }: Contract) => isRefused() || isActing(id) || reopen.mutate({ id }),
    undo: ({ id }: Contract) => isRefused() || isActing(id) || undo.mutate({ id }),
  }
}

function renewedText({ customerName, termStart, renewalDate, amount }: Contract): string {
  return `Renewed: ${customerName}, ${formatDay(termStart)} to ${formatDay(renewalDate)}, ${formatMoney(amount)}`
}

function endedText({ customerName, status, endsOn }: Contract): string {
  if (isOpen(status) && endsOn) return `The contract with ${customerName} ends on ${formatDay(endsOn)}`
  return `The contract with ${customerName} has ended`
}
