import { judgeAnswerMails, judgeWithdrawnMails } from './answer-mails.ts'
import { isLate, offerOf, type Effect } from './answer-rules.ts'
import { judgeConfirmations, judgeWithdrawn } from './confirmations.ts'
import { momentOf, noteDecision, takenBack } from './decisions.ts'
import { fault } from './fault.ts'
import { look } from './ledger-watch.ts'
import {
  remember,
  type Choice,
  type DecidedState,
  type Model,
  type ModelAnswer,
  type ModelContract,
  type ModelDecision,
  type ModelLink,
} from './model.ts'
import type { Play } from './play.ts'
import { ended, renewed, type Moment } from './renewal-rules.ts'
import { judgeContract } from './stored-decisions.ts'

/** An answer that is sent from the page of a link. */
export interface Attempt {
  link: ModelLink
  choice: Choice
  wishedAmount: number | null
  wishedDate: string | null
  /** The reason is none of the account's. */
  isUnreasoned: boolean
  /** A page that was shown before. */
  opened: ModelLink['opened']
}

/** What an attempt has to come to. */
export interface Outcome {
  refusal: string | undefined
  effect: Effect
  /** The answer that it changes. */
  earlier: ModelAnswer | undefined
}

/** An answer, as the database has it. */
export interface StoredAnswer {
  id: number
  term: number
  number: number
  choice: string
  state: string
  isLate: boolean
  isChange: boolean
  linkId: number
}

const COLUMNS = `id, term_number as term, number, choice, state, is_late as "isLate", is_change as "isChange", link_id as "linkId"`

async function storedAnswers({ owner }: Play, { id }: ModelContract): Promise<StoredAnswer[]> {
  const { rows } = await owner.query<StoredAnswer>(
    `select ${COLUMNS} from customer_answers where contract_id = $1 order by id`,
    [id],
  )
  return rows
}

/** Those that the model does not know. */
export async function newAnswersOf(play: Play, contract: ModelContract): Promise<StoredAnswer[]> {
  const known = new Set(contract.answers.map(({ id }) => id))
  return (await storedAnswers(play, contract)).filter(({ id }) => !known.has(id))
}

/** The database has what customers answered and owners decided, and nothing else. */
export async function judgeAnswers(play: Play, contract: ModelContract): Promise<void> {
  if (contract.deletion?.isForGood) return
  const textOf = ({ id, term, number, choice, state, isLate, isChange }: Omit<StoredAnswer, 'linkId'>) =>
    [id, term, number, choice, state, isLate, isChange].join(' ')
  const stored = (await storedAnswers(play, contract)).map(textOf).join('; ')
  const expected = contract.answers.map(textOf).join('; ')
  if (stored !== expected)
    fault(play.model, `contract ${contract.id}: has the answers ${stored}, not ${expected}`, contract.id)
}

interface Judged {
  attempts: Attempt[]
  outcomes: Outcome[]
  /** How each was refused; undefined if it was taken. */
  told: (string | undefined)[]
  found: StoredAnswer[]
  isDead: boolean
}

/** Of answers that were sent at the same time, one is taken if the rules allow one; and what it does has happened. */
export async function judgeTaken(play: Play, judged: Judged): Promise<void> {
  const { model } = play
  const { attempts, outcomes, told, found, isDead } = judged
  const contract = attempts[0]?.link.contract
  if (!contract) return
  count(play, judged)
  const text = `${told.map((one) => one ?? 'taken').join(' and ')}, of which ${found.length} are stored`
  const most = outcomes.some(({ refusal }) => refusal === undefined) ? 1 : 0
  if (found.length > most || (!isDead && found.length < most))
    fault(model, `contract ${contract.id}: ${text}, and ${most} should be taken`, contract.id)
  const place = attempts.findIndex(({ link, choice }, index) => {
    const isStored = found[0]?.choice === choice && String(found[0].linkId) === idIn(link.token)
    return isStored && (told[index] === undefined || isDead)
  })
  for (const [index, refusal] of told.entries()) {
    if (isDead || index === place) continue
    const isExpected = refusal === outcomes[index]?.refusal || (place >= 0 && refusal === 'ANSWER_PAGE_STALE')
    if (!isExpected || refusal === undefined)
      fault(model, `contract ${contract.id}: ${text}, not ${outcomes[index]?.refusal ?? 'taken'}`, contract.id)
  }
  const [attempt, outcome, stored] = [attempts[place], outcomes[place], found[0]]
  if (attempt && outcome && stored) await take(play, { attempt, outcome, stored })
  else if (found.length > 0) fault(model, `contract ${contract.id}: ${text}, by nobody`, contract.id)
  else await look(play.owner, model)
  if (!contract.deletion?.isForGood) await judgeContract(play, contract)
  await judgeAnswers(play, contract)
}

function idIn(token: string): string | undefined {
  return /^\d+\.a(\d+)\./.exec(token)?.[1]
}

interface Taken {
  attempt: Attempt
  outcome: Outcome
  stored: StoredAnswer
}

/** Changes the model as the rules say, and judges what the ledger has of it. */
async function take(play: Play, { attempt, outcome, stored }: Taken): Promise<void> {
  const { model, owner } = play
  const { link, choice, wishedAmount, wishedDate } = attempt
  const { contract, offer } = link
  const { effect, earlier } = outcome
  const moment = momentOf(play, contract)
  if (earlier) withdraw(play, earlier)
  const answer: ModelAnswer = {
    id: stored.id,
    link,
    contactId: link.contactId,
    term: offer.term,
    number: Math.max(0, ...contract.answers.filter(({ term }) => term === offer.term).map(({ number }) => number)) + 1,
    choice,
    state: effect === 'at_once' ? 'done' : 'waiting',
    isLate: choice === 'end' && isLate(contract, moment.today),
    isChange: earlier !== undefined,
    offer: offerOf(contract),
    wishedAmount,
    wishedDate,
    at: model.now,
    decision: null,
  }
  if (effect === 'at_once') answer.decision = carryOut(play, contract, { choice, moment })
  contract.answers.push(answer)
  remember(model, contract.id, `${choice}: ${answer.state}${earlier ? `, in place of ${earlier.choice}` : ''}`)
  countTaken(play, answer)
  await look(owner, model)
  model.undone.delete(contract.id)
  judgeConfirmations(model)
  judgeWithdrawn(model, contract)
  judgeAnswerMails(model, answer, 'answer')
  if (earlier) judgeWithdrawnMails(model, earlier)
}

/** An answer that the customer changes is undone first. */
function withdraw({ model }: Play, earlier: ModelAnswer): void {
  const { contract } = earlier.link
  earlier.state = 'withdrawn'
  if (!earlier.decision) return
  Object.assign(contract, takenBack(model, contract, earlier.decision))
  model.answers.counts.undone += 1
}

interface Terms {
  choice: ModelAnswer['choice']
  moment: Moment
  amount?: number | null
  renewalDate?: string | null
}

/** What an answer makes of its contract, at once or once it is accepted; undefined if the dates are not possible. */
export function outcomeOfTerms(
  contract: ModelContract,
  { choice, moment, amount, renewalDate }: Terms,
): DecidedState | undefined {
  const { today } = moment
  if (choice === 'end') return ended(contract, contract.renewalDate < today ? today : contract.renewalDate, today)
  const next = renewed(contract, moment)
  const after = { ...next, amount: amount ?? next.amount, renewalDate: renewalDate ?? next.renewalDate }
  return after.renewalDate > (after.termStart ?? '') ? after : undefined
}

export function carryOut({ model }: Play, contract: ModelContract, terms: Terms): ModelDecision | null {
  const after = outcomeOfTerms(contract, terms)
  if (!after) return null
  const decision = noteDecision(contract, after)
  // The email about the answer tells the customer.
  if (after.term > contract.term) model.renewals.push({ contract, isConfirmed: false, from: contract.renewalDate })
  Object.assign(contract, after)
  return decision
}

function countRefused(model: Model, refusal: string | undefined): void {
  const { counts } = model.answers
  if (refusal === 'ANSWER_PAGE_STALE') counts.stale += 1
  if (refusal === 'ANSWER_LINK_NOT_FOUND') counts.notFound += 1
  if (refusal === 'ANSWER_NOT_POSSIBLE') counts.refused += 1
}

function count({ model }: Play, { attempts, told, isDead }: Judged): void {
  const { counts } = model.answers
  const [one, other] = attempts
  if (isDead) counts.killed += 1
  if (one && other) counts[one.link === other.link ? 'twice' : 'byTwo'] += 1
  for (const refusal of told) countRefused(model, refusal)
}

function countTaken({ model }: Play, { choice, state, isLate, isChange }: ModelAnswer): void {
  const { counts } = model.answers
  counts[({ renew: 'renewed', change: 'asked', end: 'declined' } as const)[choice]] += 1
  counts[state === 'done' ? 'atOnce' : 'left'] += 1
  if (isLate) counts.late += 1
  if (isChange) counts.changed += 1
}
