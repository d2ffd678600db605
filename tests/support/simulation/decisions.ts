import { toDay } from '#shared/domain/day.ts'
import { AppError } from '#shared/errors.ts'
import { DEFAULT_END_REASONS } from '#shared/schemas/renewals.ts'
import { centsFromAmount } from '#shared/domain/money.ts'
import type { SubscriberContext } from '#server/context.ts'
import { updateContract } from '#server/contracts/contracts.service.ts'
import { saveRenewalSettings } from '#server/contracts/renewal-settings.service.ts'
import { endContract, reopenContract, undoDecision } from '#server/contracts/renewals.service.ts'
import { renewByHand } from '#server/renewals/renew-by-hand.service.ts'
import { judgeConfirmations, judgeWithdrawn } from './confirmations.ts'
import { fault, textOf } from './fault.ts'
import { look } from './ledger-watch.ts'
import {
  dayAt,
  daysLater,
  isOpen,
  type DecidedState,
  type Model,
  type ModelAccount,
  type ModelContract,
  type ModelDecision,
} from './model.ts'
import type { Play } from './play.ts'
import { decidedOf, ended, expired, renewed, reopened, type Moment } from './renewal-rules.ts'
import { judgeContract } from './stored-decisions.ts'
import { write } from './write.ts'

const MOST_UNDONE = 50

/** The owner renews a contract, ends or reopens it, undoes that, schedules another price, or changes how it renews. */
export async function actOnTerm(play: Play, contract: ModelContract): Promise<void> {
  if (contract.deletion) return
  const { random } = play
  const share = random.share()
  if (share < 0.4) return renew(play, contract)
  if (share < 0.55) return end(play, contract)
  if (share < 0.65) return reopen(play, contract)
  if (share < 0.85) return undo(play, contract)
  if (share < 0.95) return schedule(play, contract)
  const renews = random.pick(['automatic', 'by_agreement', 'never'] as const)
  await write(contract.account, (ctx) => updateContract(ctx, { id: contract.id, renews }))
  contract.renews = renews
}

/** People renew when the date is near. */
async function renew(play: Play, contract: ModelContract): Promise<void> {
  const moment = momentOf(play, contract)
  const { renewalDate, term, endsOn, id } = contract
  if (renewalDate > daysLater(moment.today, 20)) return
  const from = renewalDate < moment.today ? play.random.pick(['term', 'today'] as const) : 'term'
  const refused = endsOn === null ? undefined : 'CONTRACT_ENDING'
  const outcome = isOpen(contract) ? (refused ?? renewed(contract, moment, from)) : 'CONTRACT_CLOSED'
  // Without it, the account's settings say so.
  const confirm = { yes: true, no: false, usual: undefined }[play.random.pick(['yes', 'no', 'usual'] as const)]
  if (typeof outcome !== 'string') {
    play.model.renewals.push({ contract, isConfirmed: confirm ?? contract.account.confirms, from: renewalDate })
    noteRepriced(play.model, contract)
  }
  await decide(play, contract, { outcome, call: (ctx) => renewByHand(ctx, { id, term, from, confirm }) })
}

async function end(play: Play, contract: ModelContract): Promise<void> {
  const { today } = momentOf(play, contract)
  const { renewalDate, id } = contract
  const later = daysLater(today, play.random.int(1, 20))
  const on = play.random.chance(0.5) && later <= renewalDate ? later : today
  const outcome = isOpen(contract) ? ended(contract, on, today) : 'CONTRACT_CLOSED'
  if (typeof outcome !== 'string') play.model.decided.ended += 1
  await decide(play, contract, { outcome, call: (ctx) => endContract(ctx, { id, reason: 'Price', on: toDay(on) }) })
}

export async function endAndReopen(play: Play, contract: ModelContract): Promise<void> {
  if (contract.deletion) return
  await end(play, contract)
  await reopen(play, contract)
}

async function reopen(play: Play, contract: ModelContract): Promise<void> {
  const { id, status, endsOn } = contract
  const before = contract.decisions.at(-1)?.before.status
  const known = before === 'pending' ? 'pending' : 'active'
  const isEnding = isOpen(contract) && endsOn !== null
  const outcome = reopened(contract, isEnding ? status : known, momentOf(play, contract))
  const isRefused = isOpen(contract) && endsOn === null
  if (!isRefused) play.model.decided.reopened += 1
  await decide(play, contract, {
    outcome: isRefused ? 'CONTRACT_OPEN' : outcome,
    call: (ctx) => reopenContract(ctx, { id }),
  })
}

/** A changed status closes or opens a contract; from pending to active it decides nothing. */
export async function decideByStatus(play: Play, contract: ModelContract): Promise<void> {
  if (contract.deletion) return
  const [wasOpen, moment] = [isOpen(contract), momentOf(play, contract)]
  const { id } = contract
  const status = play.random.pick(
    wasOpen ? (['pending', 'active', 'expired', 'cancelled'] as const) : (['active', 'pending'] as const),
  )
  const call = (ctx: SubscriberContext) => updateContract(ctx, { id, status })
  if (wasOpen && (status === 'pending' || status === 'active')) {
    await write(contract.account, call)
    contract.status = status
    return
  }
  const closed = status === 'expired' ? expired(contract, moment.today) : ended(contract, moment.today, moment.today)
  await decide(play, contract, { outcome: wasOpen ? closed : reopened(contract, status, moment), call })
}

interface Attempt {
  /** What the contract then is, or the key of the refusal. */
  outcome: DecidedState | string
  call: (ctx: SubscriberContext) => Promise<unknown>
}

async function decide(play: Play, contract: ModelContract, attempt: Attempt): Promise<void> {
  const { outcome } = attempt
  if (typeof outcome !== 'string') noteDecision(contract, outcome)
  await act(play, contract, attempt)
}

/** The contract is to be changed afterwards. */
export function noteDecision(contract: ModelContract, after: DecidedState): ModelDecision {
  const decision = { isByItself: false, before: decidedOf(contract), after, skipped: [] }
  contract.decisions = [...contract.decisions, decision].slice(-MOST_UNDONE)
  return decision
}

/** The owner undoes the last decision. */
export async function undo(play: Play, contract: ModelContract): Promise<void> {
  const { model } = play
  const call = (ctx: SubscriberContext) => undoDecision(ctx, { id: contract.id })
  const last = contract.decisions.at(-1)
  if (!last) return act(play, contract, { outcome: 'NOTHING_TO_UNDO', call })
  if (isOvertaken(contract, last)) return act(play, contract, { outcome: 'UNDO_OVERTAKEN', call })
  if (contract.answers.some(({ decision }) => decision === last)) model.answers.counts.undone += 1
  await act(play, contract, { outcome: takenBack(model, contract, last), call })
  judgeTakenBack(model, contract, last)
}

export function isOvertaken(contract: ModelContract, { after }: ModelDecision): boolean {
  return (['amount', 'cycle', 'renewalDate', 'status'] as const).some((name) => contract[name] !== after[name])
}

/** What the contract is without its last decision, which the model forgets. */
export function takenBack(model: Model, contract: ModelContract, last: ModelDecision): DecidedState {
  contract.decisions.pop()
  model.decided.undone += 1
  const outcome = unchangedSince(contract, last.before, last.after)
  model.undone.set(contract.id, outcome.term)
  if (last.isByItself) {
    outcome.held = outcome.renewalDate
    if (contract.muted === contract.renewalDate) contract.muted = outcome.renewalDate
  }
  return outcome
}

/** What the decision had skipped is planned again, once the ledger has been looked at. */
export function judgeTakenBack(model: Model, contract: ModelContract, last: ModelDecision): void {
  model.undone.delete(contract.id)
  judgeWithdrawn(model, contract)
  for (const id of last.skipped) {
    const row = model.rows.get(id)
    const isResumed = isOpen(contract) && (contract.endsOn === null || row?.recipient === 'owner')
    if (isResumed && row?.state === 'skipped' && row.sendingAt === null && row.reason !== 'by_hand')
      fault(model, `message ${id} ${textOf(row)}: what skipped it was undone`, contract.id)
  }
}

/** What is as the decision left it becomes what it was before. */
export function unchangedSince(now: DecidedState, before: DecidedState, after: DecidedState): DecidedState {
  const put = <Name extends keyof DecidedState>(name: Name) => (now[name] === after[name] ? before[name] : now[name])
  return {
    renewalDate: put('renewalDate'),
    amount: put('amount'),
    cycle: put('cycle'),
    status: put('status'),
    term: put('term'),
    termStart: put('termStart'),
    anchor: put('anchor'),
    nextAmount: put('nextAmount'),
    endsOn: put('endsOn'),
    held: put('held'),
    since: put('since'),
  }
}

async function act(play: Play, contract: ModelContract, { outcome, call }: Attempt): Promise<void> {
  const { model, owner } = play
  const refusal = await refusalOf(write(contract.account, call))
  const expected = typeof outcome === 'string' ? outcome : undefined
  if (refusal !== expected)
    fault(model, `contract ${contract.id}: was ${refusal ?? 'not refused'}, not ${expected ?? 'done'}`, contract.id)
  if (typeof outcome !== 'string') Object.assign(contract, outcome)
  for (const { id } of model.rowsOf.get(contract.id) ?? []) model.touched.add(id)
  await look(owner, model)
  judgeConfirmations(model)
  await judgeContract(play, contract)
}

export async function refusalOf(work: Promise<unknown>): Promise<string | undefined> {
  try {
    await work
    return undefined
  } catch (error) {
    if (error instanceof AppError) return error.key
    throw error
  }
}

/** The next term has another price. */
async function schedule({ model }: Play, contract: ModelContract): Promise<void> {
  model.amounts += 1
  const nextAmount = model.amounts
  await write(contract.account, (ctx) =>
    updateContract(ctx, { id: contract.id, nextAmount: centsFromAmount(nextAmount) }),
  )
  contract.nextAmount = nextAmount
  model.decided.scheduled += 1
}

/** The same for the one that will renew by itself next. */
export async function scheduleSoonest(play: Play): Promise<void> {
  const renewing = [...play.model.contracts.values()].filter(
    ({ status, renews, endsOn, renewalDate, held, deletion, account }) =>
      status === 'active' &&
      renews === 'automatic' &&
      endsOn === null &&
      held !== renewalDate &&
      !deletion &&
      account.hasAccess,
  )
  const [soonest] = renewing.toSorted((one, other) => one.renewalDate.localeCompare(other.renewalDate))
  if (soonest) await schedule(play, soonest)
}

/** A contract is renewed, and gets the price that was scheduled for its next term. */
export function noteRepriced(model: Model, { nextAmount }: DecidedState): void {
  if (nextAmount !== null) model.decided.repriced += 1
}

/** Whether customers are told of renewals, and after how many days overdue contracts end. */
export async function saveRenewals({ model, owner, random }: Play, account: ModelAccount): Promise<void> {
  const days = random.chance(0.6) ? random.int(1, 40) : null
  const confirms = random.chance(0.6)
  const settings = { confirmRenewals: confirms, endOverdueAfterDays: days, endReasons: DEFAULT_END_REASONS }
  await write(account, (ctx) => saveRenewalSettings(ctx, settings))
  Object.assign(account, { confirms, endOverdueAfter: days })
  account.nightDays.clear()
  await look(owner, model)
}

export function momentOf({ model }: Pick<Play, 'model'>, { account }: ModelContract): Moment {
  return { now: model.now, today: dayAt(model.now, account.timeZone) }
}
