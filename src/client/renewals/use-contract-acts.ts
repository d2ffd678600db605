import { isOpen } from '#shared/domain/contract-status.ts'
import { toDay } from '#shared/domain/day.ts'
import { failureText } from '#client/api/failure-text.ts'
import { trpc, type Inputs, type Outputs } from '#client/api/trpc.ts'
import { useAccountToday } from '#client/api/use-account-today.ts'
import { inRows, useAtOnce } from '#client/api/use-at-once.ts'
import { useReadOnlyGuard } from '#client/api/use-read-only.ts'
import { formatCount, formatDay, formatMoney } from '#client/text/format.ts'
import { showToast, toastFailure, toastUndo, UNDO_MS } from '#client/ui/toasts/toasts.tsx'
import { ended, renewed, undone } from './decided.ts'
import { useIsActing, usePendingActs } from './use-pending-acts.ts'

export type Contract = Outputs['contracts']['get']

/** A contract with the ID of what was just decided about it. */
type Decided = Outputs['contracts']['end']

const NETWORK = 'Network error'

/** By contract, what removes the toast of its last act: after the next act its Undo would be refused. */
const dismissals = new Map<number, () => void>()

/** Rows of the dashboard show nothing at once: they vanish, or stay, once they have been fetched again. */
const PENDING = { staysPending: true }

/** What a contract was before its last act, if it was on screen. */
const known = new Map<number, Contract>()

/**
 * Renews, ends, and reopens contracts. A toast says what was done, with a button to undo it. On the contract's page what
 * comes of it is shown at once, as far as it does not take the server's history to know.
 */
export function useContractActs() {
  const change = useChanges()
  const isRefused = useReadOnlyGuard()
  const isActing = useIsActing()
  const isPending = usePendingActs()
  const undo = trpc.contracts.undo.useMutation({
    ...useAtOnce('contracts', change.undo, {
      failure: { failed: 'Failed to undo', network: NETWORK },
      ...PENDING,
    }),
    onSuccess: (undone) => {
      dismissals.get(undone.id)?.()
      showToast({
        tone: 'success',
        text: undoneText(undone),
        ...(undone.alreadyTold.length > 0 && { durationMs: UNDO_MS }),
      })
    },
  })
  const done = (text: string, { id, decision }: Decided) => {
    dismissals.get(id)?.()
    dismissals.set(
      id,
      toastUndo(text, () => undo.mutateAsync({ id, decision })),
    )
  }
  const renew = trpc.contracts.renew.useMutation({
    ...useAtOnce('contracts', change.renew, PENDING),
    onSuccess: (contract) => done(renewedText(contract), contract),
  })
  const end = trpc.contracts.end.useMutation({
    ...useAtOnce('contracts', change.end, PENDING),
    onSuccess: (contract) => done(endedText(contract), contract),
  })
  const reopen = trpc.contracts.reopen.useMutation({
    ...useAtOnce('contracts', change.reopen, {
      failure: { failed: 'Failed to reopen contract', network: NETWORK },
      ...PENDING,
    }),
    onSuccess: (contract) => done(`The contract with ${contract.customerName} is open again`, contract),
  })
  const decide = (id: number, act: () => void) => isRefused() || isActing(id) || act()
  return {
    renew,
    end,
    isRefused,
    isActing,
    isPending,
    /** Renews as scheduled, or as before. */
    renewNow: ({ id, term }: Contract) => decide(id, () => renew.mutate({ id, term }, { onError: sayNotRenewed })),
    reopen: ({ id, term }: Contract, reminders: { reminders?: 'off' }) =>
      decide(id, () => reopen.mutate({ id, term, ...reminders })),
    /** Takes back the decision that is on screen; if another one is the newest by now, nothing is undone. */
    undo: ({ id }: Contract, decision: number) => isRefused() || isActing(id) || undo.mutate({ id, decision }),
  }
}

function sayNotRenewed(error: unknown): void {
  toastFailure(failureText(error, { failed: 'Failed to renew contract', network: NETWORK }))
}

/** What each act makes of a contract; after undoing or reopening, nothing where only the server knows. */
function useChanges() {
  const { contracts } = trpc.useUtils()
  const today = useAccountToday()
  const remember = (id: number) => {
    const before = contracts.get.getData({ id })
    if (before) known.set(id, before)
  }
  const act =
    <Input extends { id: number | string }>(changed: (contract: Contract, input: Input) => Contract) =>
    (input: Input) => {
      remember(Number(input.id))
      return inRows<Contract>((contract) => changed(contract, input), Number(input.id))
    }
  return {
    renew: act<Inputs['contracts']['renew']>((contract, input) => renewed(contract, input, today())),
    end: act<Inputs['contracts']['end']>((contract, { on }) => ended(contract, on ? toDay(on) : today(), today())),
    reopen: act<Inputs['contracts']['reopen']>((contract) =>
      isOpen(contract.status) ? { ...contract, endsOn: null } : contract,
    ),
    undo: ({ id }: Inputs['contracts']['undo']) => {
      const before = known.get(Number(id))
      known.delete(Number(id))
      return inRows<Contract>((contract) => (before ? undone(contract, before) : contract), Number(id))
    },
  }
}

type Renewed = Outputs['contracts']['renew']

function renewedText({ customerName, termStart, renewalDate, amount, ...mail }: Renewed): string {
  const term = `${formatDay(termStart)} to ${formatDay(renewalDate)}, ${formatMoney(amount)}`
  return `Renewed: ${customerName}, ${term}${mailText(mail)}`
}

function mailText({ confirmation, emailsToday }: Pick<Renewed, 'confirmation' | 'emailsToday'>): string {
  const told = confirmation ? `. An email to ${addressesText(confirmation.to)} goes out in 10 seconds` : ''
  const reminded =
    emailsToday.length > 0
      ? `. An email to ${addressesText(emailsToday)} about the new renewal date goes out today`
      : ''
  return `${told}${reminded}`
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
