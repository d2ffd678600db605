import { isOpen } from '#shared/domain/contract-status.ts'
import { failureText } from '#client/api/failure-text.ts'
import { trpc, type Outputs } from '#client/api/trpc.ts'
import { useReadOnlyGuard } from '#client/api/use-read-only.ts'
import { useRefresh } from '#client/api/use-refresh.ts'
import { formatCount, formatDay, formatMoney } from '#client/text/format.ts'
import { showToast, toastFailure, toastUndo, UNDO_MS } from '#client/ui/toasts/toasts.tsx'
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
    onSuccess: (undone) => {
      dismissals.get(undone.id)?.()
      showToast({
        tone: 'success',
        text: undoneText(undone),
        ...(undone.alreadyTold.length > 0 && { durationMs: UNDO_MS }),
      })
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

type Renewed = Outputs['contracts']['renew']

function renewedText({ customerName, termStart, renewalDate, amount, confirmation }: Renewed): string {
  const term = `${formatDay(termStart)} to ${formatDay(renewalDate)}, ${formatMoney(amount)}`
  const told = confirmation ? `. An email to ${addressesText(confirmation.to)} goes out in 10 seconds` : ''
  return `Renewed: ${customerName}, ${term}${told}`
}

function undoneText({ customerName, alreadyTold }: Outputs['contracts']['undo']): string {
  const text = `Undone: the contract with ${customerName} is as it was before`
  return alreadyTold.length === 0
    ? text
    : `${text}. The email about the renewal had already gone to ${addressesText(alreadyTold)}`
}

/** A toast has room for two addresses. */
function addressesText(addresses: readonly string[]): string {
  return addresses.length > 2 ? `${formatCount(addresses.length)} contacts` : addresses.join(' and ')
}

function endedText({ customerName, status, endsOn }: Contract): string {
  if (isOpen(status) && endsOn) return `The contract with ${customerName} ends on ${formatDay(endsOn)}`
  return `The contract with ${customerName} has ended`
}
