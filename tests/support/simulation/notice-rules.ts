import { lastDayOf } from './answer-rules.ts'
import {
  isOpen,
  type Model,
  type ModelAccount,
  type ModelContract,
  type ModelRule,
  type ModelWindow,
  type RecordedWindow,
  type Row,
} from './model.ts'
import { before } from './notice-days.ts'

export const CHOICE_KEYS = {
  account: 'account',
  contract: (id: number) => `contract ${id}`,
  customer: (id: number) => `customer ${id}`,
  tag: (tag: string) => `tag ${tag}`,
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
  const rule = ruleAbout(contract)
  const anchor = rule && anchorOf(contract, rule)
  if (!rule || anchor === undefined) return undefined
  const { unit, from, until, means } = rule
  return { from: before(anchor, from, unit), through: before(anchor, until, unit), means }
}

/** Notice is due by a rule, but the contract does not say when. */
export function lacksNoticePeriod(contract: ModelContract): boolean {
  const rule = ruleAbout(contract)
  return rule !== undefined && anchorOf(contract, rule) === undefined
}

/** The rule by which notice of the contract's renewal is due. */
function ruleAbout(contract: ModelContract): ModelRule | undefined {
  const rule = ruleFor(contract)
  if (!isOpen(contract) || contract.endsOn !== null || contract.renews !== 'automatic') return undefined
  return rule?.exceptMonthly && contract.cycle === 'monthly' ? undefined : rule
}

function anchorOf(contract: ModelContract, { countedFrom }: ModelRule): string | undefined {
  return countedFrom === 'renewal_date' ? contract.renewalDate : lastDayOf(contract)
}

export function isIn({ from, through }: Pick<ModelWindow, 'from' | 'through'>, day: string): boolean {
  return day >= from && day <= through
}

/** It is sent as soon as that is possible, also if it was planned by another rule. */
export function isWaiting({ state, day }: Pick<Row, 'state' | 'day'>, today: string): boolean {
  return (state === 'planned' || state === 'sending') && day <= today
}

/** When it was sent, or is due; a clock that was ahead may have sent it on a later day. */
export function latestDay({ day, sentOn }: Pick<Row, 'day' | 'sentOn'>): string {
  return sentOn !== null && sentOn > day ? sentOn : day
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
