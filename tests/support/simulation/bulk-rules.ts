import { daysLater, isOpen, type BulkChoice, type DecidedState, type ModelBulkContract } from './model.ts'
import { MONTHS, decidedOf, ended, renewed, type Moment } from './renewal-rules.ts'

/** A change of the terms of contracts, or to the trash. */
export type TermChoice = Exclude<BulkChoice, { action: 'tag' | 'remind' }>

/** What a change makes of one of its contracts, or why it is left out. */
export function changedInBulk(
  { contract, term }: ModelBulkContract,
  change: TermChoice,
  moment: Moment,
): DecidedState | string {
  if (contract.deletion) return 'gone'
  if (change.action === 'delete') return decidedOf(contract)
  // Whoever renews or ends contracts means the terms that they have seen.
  if (change.action !== 'change_price' && contract.term !== term) return 'renewed'
  if (!isOpen(contract)) return 'closed'
  if (contract.endsOn !== null) return 'ending'
  if (change.action === 'renew')
    return hasBegun(contract, moment) ? renewed(contract, moment, change.from) : 'not_begun'
  if (change.action === 'change_price') return repriced(contract, contract.renews, change.percent)
  const isToday = change.on === 'today' || contract.renewalDate < moment.today
  return ended(contract, isToday ? moment.today : contract.renewalDate, moment.today)
}

/** A first term is one cycle long. */
function hasBegun({ termStart, renewalDate, cycle }: DecidedState, { today }: Moment): boolean {
  if (termStart !== null) return termStart <= today
  const [year = 0, month = 0, day = 0] = renewalDate.split('-').map(Number)
  const earlier = new Date(Date.UTC(year, month - 1 - MONTHS[cycle], 1)).toISOString().slice(0, 10)
  const last = Number(daysLater(nextMonth(earlier), -1).slice(8))
  return `${earlier.slice(0, 8)}${String(Math.min(day, last)).padStart(2, '0')}` <= today
}

function nextMonth(first: string): string {
  return `${daysLater(first, 31).slice(0, 8)}01`
}

/** In whole dollars, from the price of the current term. */
function repriced(contract: DecidedState, renews: string, percent: number): DecidedState | string {
  if (renews === 'never') return 'never_renews'
  const price = Math.floor((contract.amount * (100 + percent) + 50) / 100)
  if (price <= 0) return 'price_impossible'
  const nextAmount = price === contract.amount ? null : price
  return nextAmount === contract.nextAmount ? 'same_price' : { ...decidedOf(contract), nextAmount }
}
