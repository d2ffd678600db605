import { lastDayOf } from './answer-rules.ts'
import { isOpen, type Model, type ModelAccount, type ModelContract, type Row } from './model.ts'
import { before } from './notice-days.ts'
import type { ModelWarning } from './notice-warnings.ts'

/** A rule about notices, of the account's own or of a law. */
export interface ModelRule {
  id: number
  isOfLaw: boolean
  unit: 'days' | 'months'
  from: number
  until: number
  countedFrom: 'renewal_date' | 'last_day_for_notice'
  means: ('email' | 'letter')[]
  exceptMonthly: boolean
}

/** Which rule is chosen for what; null: none. By 'account', or a contract, a customer or a tag. */
export type ModelChoices = Map<string, number | null>

export const CHOICE_KEYS = {
  account: 'account',
  contract: (id: number) => `contract ${id}`,
  customer: (id: number) => `customer ${id}`,
  tag: (tag: string) => `tag ${tag}`,
}

/** The days on which a notice must reach the customer, and how it can. */
export interface ModelWindow {
  from: string
  through: string
  means: ModelRule['means']
}

/** A window that has opened, as the account's owner reads of it. */
export interface RecordedWindow extends ModelWindow {
  contract: ModelContract
  term: number
  renewalDate: string
  postedOn: string | null
  /** The last warning that it closes without notice. */
  warned: ModelWarning | null
  /** How it stood when something was last planned in its last week. */
  seen?: 'given' | 'sending' | 'due'
}

/** The rule that applies to a contract: the most specific that is chosen. */
export function ruleFor({ account, id, customer, tags }: ModelContract): ModelRule | undefined {
  const { choices, rules } = account
  const keys = [CHOICE_KEYS.contract(id), CHOICE_KEYS.customer(customer.id)]
  const own = keys.find((key) => choices.has(key))
  const tagged = tags.flatMap((tag) => {
    const chosen = choices.get(CHOICE_KEYS.tag(tag))
    return chosen === undefined ? [] : [chosen]
  })
  // The rule made first counts, and any rule before none.
  const ofTags = tagged.toSorted((one, other) => (one ?? Infinity) - (other ?? Infinity))[0]
  const lessSpecific = ofTags === undefined ? choices.get(CHOICE_KEYS.account) : ofTags
  const chosen = own === undefined ? lessSpecific : choices.get(own)
  return rules.find((rule) => rule.id === chosen)
}

/** The window of the contract's current term, by the rule that applies now. */
export function windowOf(contract: ModelContract): ModelWindow | undefined {
  const rule = ruleFor(contract)
  if (!rule || !isOpen(contract) || contract.endsOn !== null || contract.renews !== 'automatic') return undefined
  if (rule.exceptMonthly && contract.cycle === 'monthly') return undefined
  const anchor = rule.countedFrom === 'renewal_date' ? contract.renewalDate : lastDayOf(contract)
  if (anchor === undefined) return undefined
  const { unit, from, until, means } = rule
  return { from: before(anchor, from, unit), through: before(anchor, until, unit), means }
}

export function isIn({ from, through }: Pick<ModelWindow, 'from' | 'through'>, day: string): boolean {
  return day >= from && day <= through
}

export function windowKey({ id, term, renewalDate }: Pick<ModelContract, 'id' | 'term' | 'renewalDate'>): string {
  return `${id} ${term} ${renewalDate}`
}

/** A letter about the current term was posted, and not withdrawn. */
export function hasLetter(model: Model, contract: ModelContract): boolean {
  return (model.notices.recorded.get(windowKey(contract))?.postedOn ?? null) !== null
}

/** The notices by email about a term. */
export function noticesOf(
  model: Model,
  { id }: Pick<ModelContract, 'id'>,
  { term, renewalDate }: { term: number; renewalDate: string },
): Row[] {
  const rows = model.rowsOf.get(id) ?? []
  return rows.filter((row) => row.kind === 'notice' && row.term === term && row.renewalDate === renewalDate)
}

/** An email that went out within the window, and has not bounced. */
export function isCounting({ state, sentOn }: Row, window: ModelWindow): boolean {
  const isSent = (state === 'sent' || state === 'delivered') && sentOn !== null
  return isSent && isIn(window, sentOn) && window.means.includes('email')
}

export function isGiven(model: Model, recorded: RecordedWindow): boolean {
  if (recorded.postedOn !== null) return true
  return noticesOf(model, recorded.contract, recorded).some((row) => isCounting(row, recorded))
}

export function contractsOf(model: Model, account: ModelAccount): ModelContract[] {
  return [...model.contracts.values()].filter((contract) => contract.account === account)
}
