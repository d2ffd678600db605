import { isOpen } from './contract-status.ts'
import type { Day } from './day.ts'
import type { MailLimit } from './mail-limits.ts'
import type { ManualObstacle } from './manual-reminder.ts'
import { changedPrice, type PriceChange } from './price-change.ts'
import { changedTags } from './tags.ts'
import {
  ending,
  obstacleToRenewal,
  renewal,
  type RenewableContract,
  type RenewalObstacle,
  type Renewed,
} from './renewal.ts'

export const BULK_ACTIONS = ['renew', 'end', 'change_price', 'tag', 'remind', 'delete'] as const
export type BulkAction = (typeof BULK_ACTIONS)[number]

/** The same change for many contracts. */
export type BulkRequest =
  /** `from` is for those that are overdue. */
  | { action: 'renew'; from: 'term' | 'today' }
  /** On the renewal date, or today where that has passed. */
  | { action: 'end'; on: 'renewal_date' | 'today' }
  /** At the next renewal. */
  | { action: 'change_price'; price: PriceChange }
  /** To the trash. */
  | { action: 'delete' }
  | RemindRequest
  | TagRequest

/** Sends a reminder by hand about each. */
export interface RemindRequest {
  action: 'remind'
}

/** A change of the contracts' terms, or to the trash. */
export type TermRequest = Exclude<BulkRequest, TagRequest | RemindRequest>

/** Tags that are added to each, and removed from each. */
export interface TagRequest {
  action: 'tag'
  add: readonly string[]
  remove: readonly string[]
}

/** Why a contract is left out of a change. */
export const REASONS_LEFT_OUT = [
  'gone',
  'closed',
  'ending',
  'renewed',
  'not_begun',
  'too_late',
  'too_many',
  'never_renews',
  'same_price',
  'price_impossible',
  'same_tags',
  'too_many_tags',
  'tags_full',
  'no_company',
  'unverified',
  'no_address',
  'opted_out',
  'address_bounced',
  'unsubscribed',
  'complained',
  'answered',
  'sent_today',
  'on_its_way',
  'mail_stopped',
  'account_limit',
  'address_limit',
] as const
export type ReasonLeftOut = (typeof REASONS_LEFT_OUT)[number]

export type BulkResult<Contract extends RenewableContract> = Renewed<Contract> | { leftOut: ReasonLeftOut }

/**
 * What the change does to one contract today. A price changes from the current term's, as the scheduled change for the next
 * one; a change that was scheduled before is replaced.
 */
export function bulkResult<Contract extends RenewableContract>(
  contract: Contract,
  request: TermRequest,
  today: Day,
): BulkResult<Contract> {
  if (request.action === 'renew') return renewed(contract, request.from, today)
  if (request.action === 'delete') return { contract, closed: [] }
  if (!isOpen(contract.status)) return { leftOut: 'closed' }
  if (contract.endsOn !== null) return { leftOut: 'ending' }
  if (request.action === 'change_price') return repriced(contract, request.price)
  const on = request.on === 'today' || contract.renewalDate < today ? today : contract.renewalDate
  return { contract: ending(contract, on, today), closed: [] }
}

/**
 * The same for a contract that was selected in some term; null if that is not known. Whoever renews or ends contracts means
 * the terms that they have seen: one that was renewed since is left out.
 */
export function selectedResult<Contract extends RenewableContract>(
  contract: Contract,
  request: TermRequest,
  { today, termNumber }: { today: Day; termNumber: number | null },
): BulkResult<Contract> {
  const isRenewed = termNumber !== null && termNumber !== contract.termNumber
  if (isRenewed && (request.action === 'renew' || request.action === 'end')) return { leftOut: 'renewed' }
  return bulkResult(contract, request, today)
}

function renewed<Contract extends RenewableContract>(
  contract: Contract,
  from: 'term' | 'today',
  today: Day,
): BulkResult<Contract> {
  const request = contract.renewalDate < today ? { from } : {}
  const obstacle = obstacleToRenewal(contract, request, today)
  return obstacle ? { leftOut: LEFT_OUT[obstacle] } : renewal(contract, request, today)
}

/** A change of many contracts names no terms or dates, so it cannot meet some of the obstacles. */
const LEFT_OUT: Record<RenewalObstacle, ReasonLeftOut> = {
  closed: 'closed',
  ending: 'ending',
  not_begun: 'not_begun',
  too_late: 'too_late',
  too_many: 'too_many',
  term_changed: 'not_begun',
  not_overdue: 'not_begun',
  too_short: 'too_late',
}

function repriced<Contract extends RenewableContract>(contract: Contract, price: PriceChange): BulkResult<Contract> {
  if (contract.renews === 'never') return { leftOut: 'never_renews' }
  const cents = changedPrice(contract.amountCents, price)
  if (cents === undefined) return { leftOut: 'price_impossible' }
  const nextAmountCents = cents === contract.amountCents ? null : cents
  if (nextAmountCents === contract.nextAmountCents) return { leftOut: 'same_price' }
  return { contract: { ...contract, nextAmountCents }, closed: [] }
}

/** What a change of tags does to those of one contract, whether it is open or closed. */
export function tagResult(
  tags: readonly string[],
  request: TagRequest,
): { tags: string[] } | { leftOut: ReasonLeftOut } {
  const changed = changedTags(tags, request)
  if (changed === undefined) return { leftOut: 'too_many_tags' }
  return changed.join(',') === tags.join(',') ? { leftOut: 'same_tags' } : { tags: changed }
}

/** Why no reminder about a contract is sent; undefined if one is. */
export function reminderResult(
  obstacle: ManualObstacle | undefined,
  limit: MailLimit | null,
): ReasonLeftOut | undefined {
  // Of a customer none of whose contacts can be reached, the first one says why.
  if (obstacle === 'contact_off' || obstacle === 'second_copy') return 'no_address'
  return obstacle ?? limit ?? undefined
}
