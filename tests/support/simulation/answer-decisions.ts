import { AcceptAnswer } from '#shared/schemas/answers.ts'
import { saveAnswerSettings, saveContractAnswers } from '#server/customer-answers/answer-settings.service.ts'
import { acceptAnswer, declineAnswer, revokeLinks } from '#server/customer-answers/answers.service.ts'
import type { Random } from '#support/random.ts'
import { judgeAnswerMails } from './answer-mails.ts'
import { isOvertakenAnswer, waitingAnswers } from './answer-rules.ts'
import { carryOut, judgeAnswers, outcomeOfTerms } from './answer-taking.ts'
import { judgeConfirmations } from './confirmations.ts'
import { momentOf, refusalOf, undo } from './decisions.ts'
import { fault } from './fault.ts'
import { look } from './ledger-watch.ts'
import {
  daysLater,
  remember,
  type AnswerWishes,
  type ModelAccount,
  type ModelAnswer,
  type ModelContract,
  type OwnAnswerWishes,
} from './model.ts'
import type { Play } from './play.ts'
import { judgeContract } from './stored-decisions.ts'
import { write } from './write.ts'

const FRESH_MS = 3_600_000

/** Owners come to some of the answers that wait for them. */
export async function decideAnswers(play: Play): Promise<boolean> {
  const { model, random } = play
  const waiting = waitingAnswers(model.contracts.values()).filter(({ link }) => isDecidable(link.contract))
  const due = waiting.filter(() => random.chance(0.08))
  for (const answer of due) {
    await decide(play, answer)
    model.now += 1000
  }
  const decided = random.chance(0.02) ? [...model.contracts.values()].findLast(isDecided) : undefined
  if (decided) await decide(play, decided.answers.at(-1))
  return due.length > 0
}

function isDecidable({ account, deletion }: ModelContract): boolean {
  return account.hasAccess && !deletion?.isForGood
}

function isDecided(contract: ModelContract): boolean {
  const last = contract.answers.at(-1)
  return last !== undefined && last.state !== 'waiting' && isDecidable(contract)
}

function decide(play: Play, answer: ModelAnswer | undefined): Promise<void> {
  if (!answer) return Promise.resolve()
  return play.random.chance(0.6) ? accept(play, answer) : decline(play, answer)
}

async function accept(play: Play, answer: ModelAnswer): Promise<void> {
  const { model, random } = play
  const { id, choice, link, wishedAmount, wishedDate } = answer
  const { contract } = link
  const hasOwnTerms = choice !== 'end' && random.chance(0.4)
  if (hasOwnTerms) model.amounts += 1
  // Some are no days of the new term.
  const own = hasOwnTerms
    ? { amount: model.amounts, renewalDate: daysLater(contract.renewalDate, random.int(-5, 100)) }
    : {}
  const terms = {
    choice,
    moment: momentOf(play, contract),
    amount: own.amount ?? wishedAmount,
    renewalDate: own.renewalDate ?? wishedDate,
  }
  const isPossible = outcomeOfTerms(contract, terms) !== undefined
  const expected = obstacleTo(answer) ?? (isPossible ? undefined : 'TERM_TOO_SHORT')
  const input = AcceptAnswer.parse({ id, reply: 'Thank you.', ...own })
  const refusal = await refusalOf(write(contract.account, (ctx) => acceptAnswer(ctx, input)))
  judgeRefusal(play, answer, { refusal, expected })
  if (expected !== undefined) {
    model.answers.counts.notAccepted += 1
    return settle(play, answer, undefined)
  }
  answer.state = 'accepted'
  answer.decision = carryOut(play, contract, terms)
  model.answers.counts.accepted += 1
  if (hasOwnTerms) model.answers.counts.ownTerms += 1
  await settle(play, answer, 'reply')
}

/** One that the contract has overtaken is dismissed without a word. */
async function decline(play: Play, answer: ModelAnswer): Promise<void> {
  const { counts } = play.model.answers
  const { id, link } = answer
  const isOvertaken = isOvertakenAnswer(answer)
  const refusal = await refusalOf(write(link.contract.account, (ctx) => declineAnswer(ctx, { id, reply: 'Sorry.' })))
  const expected = obstacleToAny(answer)
  judgeRefusal(play, answer, { refusal, expected })
  if (expected !== undefined) return
  answer.state = isOvertaken ? 'overtaken' : 'declined'
  counts[isOvertaken ? 'dismissed' : 'turnedDown'] += 1
  await settle(play, answer, isOvertaken ? undefined : 'reply')
}

function obstacleToAny({ state, link }: ModelAnswer): string | undefined {
  if (state !== 'waiting') return 'ANSWER_DECIDED'
  return link.contract.deletion ? 'CONTRACT_NOT_FOUND' : undefined
}

function obstacleTo(answer: ModelAnswer): string | undefined {
  const obstacle = obstacleToAny(answer)
  if (obstacle !== undefined) return obstacle
  return isOvertakenAnswer(answer) ? 'ANSWER_OVERTAKEN' : undefined
}

interface Refused {
  refusal: string | undefined
  expected: string | undefined
}

function judgeRefusal({ model }: Play, { link, number }: ModelAnswer, { refusal, expected }: Refused): void {
  const { id } = link.contract
  if (refusal !== expected)
    fault(model, `contract ${id}: answer ${number} was ${refusal ?? 'not refused'}, not ${expected ?? 'decided'}`, id)
}

async function settle(play: Play, answer: ModelAnswer, told: 'reply' | undefined): Promise<void> {
  const { model, owner } = play
  const { contract } = answer.link
  remember(model, contract.id, `answer ${answer.number} about term ${answer.term}: ${answer.state}`)
  for (const { id } of model.rowsOf.get(contract.id) ?? []) model.touched.add(id)
  await look(owner, model)
  judgeConfirmations(model)
  if (told) judgeAnswerMails(model, answer, told)
  const isTold = (model.rowsOf.get(contract.id) ?? []).some(
    ({ kind, term, offset }) => kind === 'reply' && term === answer.term && offset === answer.number,
  )
  if (isTold && !['accepted', 'declined'].includes(answer.state))
    fault(model, `contract ${contract.id}: tells of answer ${answer.number}, which is ${answer.state}`, contract.id)
  if (!contract.deletion) await judgeContract(play, contract)
  await judgeAnswers(play, contract)
}

/** How customers answer, of the account or of one contract. */
export async function changeAnswerSettings(play: Play, contract: ModelContract): Promise<void> {
  const share = play.random.share()
  if (share < 0.35) return saveOfAccount(play, contract.account)
  if (contract.deletion) return
  return share < 0.8 ? saveOfContract(play, contract) : revoke(play, contract)
}

/** Now and then where a customer has just got a link. */
export async function revokeFresh(play: Play): Promise<void> {
  const { model, random } = play
  const link = [...model.answers.links.values()].at(-random.int(1, 5))
  if (link && isDecidable(link.contract) && !link.contract.deletion) await revoke(play, link.contract)
}

/** Now and then the owner undoes what an answer has just done, before anybody was told. */
export async function undoFresh(play: Play): Promise<void> {
  const { model, random } = play
  const isFresh = ({ decisions, answers }: ModelContract) =>
    answers.some(({ decision, at }) => decision && decision === decisions.at(-1) && model.now - at < FRESH_MS)
  const contract = [...model.contracts.values()].findLast((one) => isDecidable(one) && !one.deletion && isFresh(one))
  if (contract && random.chance(0.2)) await undo(play, contract)
}

async function revoke({ model }: Play, contract: ModelContract): Promise<void> {
  const { id } = contract
  await write(contract.account, (ctx) => revokeLinks(ctx, { id }))
  for (const link of model.answers.linksOf.get(id) ?? []) link.isRevoked = true
  model.answers.counts.revoked += 1
}

export async function saveOfAccount({ model, random }: Play, account: ModelAccount): Promise<void> {
  const answers = someAnswers(random)
  await write(account, (ctx) => saveAnswerSettings(ctx, { ...answers, showsPdf: false }))
  account.answers = answers
  model.answers.counts.settings += 1
}

async function saveOfContract({ model, random }: Play, contract: ModelContract): Promise<void> {
  const { hasLink, renewal, deadline, lateEnd } = someAnswers(random)
  const maybe = <T>(wish: T) => (random.chance(0.5) ? wish : null)
  const own: OwnAnswerWishes = {
    hasLink: maybe(hasLink),
    renewal: maybe(renewal),
    deadline: maybe(deadline),
    lateEnd: maybe(lateEnd),
  }
  await write(contract.account, (ctx) => saveContractAnswers(ctx, { id: contract.id, ...own, showsPdf: null }))
  contract.ownAnswers = own
  model.answers.counts.ownSettings += 1
}

function someAnswers(random: Random): AnswerWishes {
  return {
    hasLink: random.chance(0.93),
    renewal: random.pick(['at_once', 'waits'] as const),
    deadline: random.pick(['notice', 'renewal', 'open', 'open'] as const),
    lateEnd: random.pick(['refuse', 'pass_on'] as const),
  }
}
