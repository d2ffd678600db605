import { Alert, Loader, Text } from '@mantine/core'
import { isOpen } from '#shared/domain/contract-status.ts'
import { termStartOf, type DoneByItself, type RenewableContract } from '#shared/domain/renewal.ts'
import { amountFromCents } from '#shared/domain/money.ts'
import type { Day } from '#shared/domain/day.ts'
import { trpc } from '#client/api/trpc.ts'
import { useAccountToday } from '#client/api/use-account-today.ts'
import { formatCount, formatDay, formatMoney } from '#client/text/format.ts'
import { doneByItself } from './decided.ts'
import type { Contract } from './use-contract-acts.ts'

interface ByItselfProps {
  contract: Contract
  /** What is about to be saved. */
  changes: Partial<Pick<Contract, 'renews' | 'renewalDate' | 'status' | 'startDate' | 'renewalCycle' | 'amount'>>
}

/** Says before saving what will happen by itself to a contract whose renewal date has come; else nothing. */
export function ByItself({ contract, changes }: ByItselfProps) {
  const today = useAccountToday()()
  const changed = { ...contract, ...changes }
  const isChanged = (['renews', 'renewalDate', 'status'] as const).some((name) => changed[name] !== contract[name])
  if (!isChanged || !isOpen(changed.status) || changed.endsOn !== null || changed.renewalDate > today) return null
  return (
    <Alert color="yellow" role="status" p="xs">
      <Foreseen contract={contract} changed={changed} today={today} />
    </Alert>
  )
}

interface ForeseenProps {
  contract: Contract
  changed: Contract
  today: Day
}

function Foreseen({ contract, changed, today }: ForeseenProps) {
  const terms = trpc.contracts.terms.useQuery({ id: contract.id })
  const settings = trpc.contracts.renewalSettings.useQuery()
  if (terms.isError || settings.isError) return <Text size="sm">We could not check what happens after saving.</Text>
  if (!terms.data || !settings.data) return <Loader size="xs" role="status" aria-label="Loading..." />
  const isHeld = terms.data[0]?.isHeld === true && changed.renewalDate === contract.renewalDate
  const { endOverdueAfterDays } = settings.data
  const done = doneByItself(changed, { today, isHeld, endOverdueAfterDays })
  return <Text size="sm">{done ? doneText(done, today) : nothingText(changed, isHeld)}</Text>
}

const AFTER_SAVING = 'Its renewal date has come. Within a minute of saving,'

function doneText({ act, contract, closed }: DoneByItself<RenewableContract>, today: Day): string {
  if (act === 'expire') return `${AFTER_SAVING} it expires.`
  if (act === 'end')
    return 'By your renewal settings it has been overdue for too long. Within a day of saving, it ends.'
  const { termNumber, renewalDate, amountCents } = contract
  const times = closed.length === 1 ? 'it is renewed' : `it is renewed ${formatCount(closed.length)} times`
  const term = `Term ${termNumber} runs from ${formatDay(termStartOf(contract))} until it renews on ${formatDay(renewalDate)}, for ${formatMoney(amountFromCents(amountCents))}.`
  const rest =
    renewalDate > today ? '' : ` It is then still overdue: at most ${closed.length} terms are added at a time.`
  return `${AFTER_SAVING} ${times}. ${term}${rest}`
}

function nothingText({ renews, status }: Contract, isHeld: boolean): string {
  if (status === 'pending') return 'Its renewal date has come, but nothing happens automatically while it is pending.'
  if (isHeld)
    return 'Nothing happens automatically on this renewal date, because that was undone or the contract reopened.'
  return renews === 'by_agreement' ? 'It stays overdue until you renew or end it.' : 'Nothing happens automatically.'
}
