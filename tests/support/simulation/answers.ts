import { DEFAULT_END_REASONS } from '#shared/schemas/renewals.ts'
import { EnteredAnswer } from '#shared/schemas/answers.ts'
import { openAnswerPage } from '#server/customer-answers/answer-page.service.ts'
import type { OpenedPage } from '#server/customer-answers/answer-shown.ts'
import { giveAnswer } from '#server/customer-answers/give-answer.service.ts'
import type { RequestContext } from '#server/context.ts'
import { AppError } from '#shared/errors.ts'
import { judgeTaken, newAnswersOf, type Attempt, type Outcome } from './answer-taking.ts'
import { effectOf, isLinkOver, isSameOffer, offerOf, standingAnswer } from './answer-rules.ts'
import { isOvertaken, momentOf, unchangedSince } from './decisions.ts'
import { fault } from './fault.ts'
import { fewSteps, mortal } from './faults.ts'
import { noteOutage } from './limits.ts'
import { daysLater, remember, type ModelAnswer, type ModelContract, type ModelLink } from './model.ts'
import type { Play } from './play.ts'
import { renewed } from './renewal-rules.ts'
import { untilConnected } from './write.ts'

const HOUR = 3_600_000
const PAGE_VALID = 24 * HOUR
/** Links of older emails are no longer at hand. */
const RECENT = 60 * 24 * HOUR
/** Most answer within days. */
const FRESH = 4 * 24 * HOUR
/** So few that a round does not last longer than it may. */
const MOST_CHANGES = 2
const CHOICES = ['renew', 'renew', 'renew', 'change', 'change', 'end', 'end'] as const

/** Customers answer by links in emails that they have got, at any time, and more than once. */
export async function customersAnswer(play: Play): Promise<boolean> {
  const { model, random } = play
  const recent = [...model.answers.links.values()].filter(({ at }) => at > model.now - RECENT)
  const count = recent.length === 0 ? 0 : Math.round(random.share() * 2 * Math.max(1, recent.length * 0.04))
  let changes = 0
  for (let n = 0; n < count; n += 1) {
    const answered = recent.filter(({ contract, offer }) => standingAnswer(contract, offer))
    const fresh = recent.filter(({ at }) => at > model.now - FRESH)
    const some = [answered, fresh, fresh].filter((links) => links.length > 0)
    const link = random.pick(random.pick([recent, ...some]))
    const isChanging = changes < MOST_CHANGES && random.chance(0.35)
    await answerBy(play, link, isChanging)
    if (isChanging) changes += 1
    model.now += 1000
  }
  return count > 0
}

/** Somebody answers about a contract, if a link of it was received. */
export async function answerAbout(play: Play, contract: ModelContract): Promise<void> {
  const link = play.model.answers.linksOf.get(contract.id)?.at(-1)
  if (link) await answerBy(play, link, false)
}

async function answerBy(play: Play, link: ModelLink, isChanging: boolean): Promise<void> {
  const { model, random } = play
  const share = random.share()
  if (share < 0.06) return open(play, link)
  const opened = share < 0.2 ? link.opened : null
  const attempt = { ...someAttempt(play, link), opened }
  const other = random.pick(model.answers.linksOf.get(link.contract.id) ?? [link])
  if (share > 0.9) await give(play, [attempt, { ...someAttempt(play, link), opened: null }])
  else if (share > 0.75 && other !== link) await give(play, [attempt, someAttempt(play, other)])
  else await give(play, [attempt])
  if (!isChanging) return
  model.now += random.int(1, 8) * 60_000
  await give(play, [someAttempt(play, random.chance(0.8) ? link : other)])
}

/** The page is only looked at; an answer may be sent from it later. */
async function open(play: Play, link: ModelLink): Promise<void> {
  const page = await pageOf(link)
  judgePage(play, link, page)
  const count = link.contract.answers.filter(({ term }) => term === link.offer.term).length
  if (page) link.opened = { pageToken: page.pageToken, count, shown: shownTo(play, link), at: play.model.now }
}

function someAttempt({ model, random }: Play, link: ModelLink): Attempt {
  const choice = random.pick(CHOICES)
  const isWished = choice === 'change'
  if (isWished) model.amounts += 1
  return {
    link,
    choice,
    wishedAmount: isWished && random.chance(0.5) ? model.amounts : null,
    wishedDate: isWished && random.chance(0.5) ? daysLater(link.offer.renewalDate, random.int(1, 120)) : null,
    isUnreasoned: random.chance(0.05),
    opened: null,
  }
}

async function pageOf({ token, contract }: ModelLink): Promise<OpenedPage | undefined> {
  try {
    return await untilConnected(() => openAnswerPage(contract.account.request, token))
  } catch (error) {
    if (error instanceof AppError && error.key === 'ANSWER_LINK_NOT_FOUND') return undefined
    throw error
  }
}

/** The page says what an answer would do, and what happens then. */
function judgePage(play: Play, link: ModelLink, page: OpenedPage | undefined): void {
  const { contract } = link
  const told = page && {
    isOver: page.obstacle !== undefined,
    canChange: page.canChange,
    effects: page.obstacle === undefined ? page.effects : null,
  }
  const expected = contract.deletion === null ? pageFor(play, link) : undefined
  if (JSON.stringify(told) !== JSON.stringify(expected))
    fault(
      play.model,
      `contract ${contract.id}: a link shows ${JSON.stringify(told)}, not ${JSON.stringify(expected)}`,
      contract.id,
    )
}

function pageFor(play: Play, link: ModelLink) {
  const { before } = changing(play, link)
  const contract = before ?? link.contract
  const { today } = momentOf(play, link.contract)
  const isOver = isLinkOver({ link, contract, today })
  const effects = {
    renew: effectOf('renew', contract, today),
    change: effectOf('change', contract, today),
    end: effectOf('end', contract, today),
  }
  return { isOver, canChange: before !== undefined && !isOver, effects: isOver ? null : effects }
}

/** What an answer would be about and do, as the page says it; nothing where none can be given. */
function shownTo(play: Play, link: ModelLink): string {
  const { earlier, before } = changing(play, link)
  const { isOver, effects } = pageFor(play, link)
  if (isOver || (earlier && !before)) return 'nothing'
  const contract = before ?? link.contract
  const moment = momentOf(play, link.contract)
  const { termStart, renewalDate, amount, cycle } = renewed(contract, moment)
  const endDay = contract.renewalDate < moment.today ? moment.today : contract.renewalDate
  return JSON.stringify({ offer: offerOf(contract), next: [termStart, renewalDate, amount, cycle], effects, endDay })
}

/** The answer that counts, and the contract before it, if this link may still change it. */
function changing({ model }: Play, link: ModelLink): { earlier?: ModelAnswer; before?: ModelContract } {
  const { contract, offer } = link
  const earlier = standingAnswer(contract, offer)
  if (!earlier) return {}
  const isOwn = earlier.link === link && ['waiting', 'done'].includes(earlier.state) && !earlier.isChange
  if (!isOwn || model.now - earlier.at >= HOUR) return { earlier }
  if (earlier.state === 'waiting') return { earlier, before: contract }
  const last = contract.decisions.at(-1)
  if (!last || last !== earlier.decision || isOvertaken(contract, last)) return { earlier }
  const before = { ...contract, ...unchangedSince(contract, last.before, last.after) }
  return isSameOffer(offer, before) ? { earlier, before } : { earlier }
}

/** What the rules make of an answer that is sent now. */
export function outcomeOf(play: Play, { link, choice, isUnreasoned, opened }: Attempt): Outcome {
  const { contract, offer } = link
  const { now, today } = momentOf(play, contract)
  const { earlier, before } = changing(play, link)
  const effect = effectOf(choice, before ?? contract, today)
  const refused = (refusal: string) => ({ refusal, effect, earlier })
  if (contract.deletion) return refused('ANSWER_LINK_NOT_FOUND')
  const count = contract.answers.filter(({ term }) => term === offer.term).length
  const age = opened ? now - opened.at : 0
  const isShown = opened === null || (opened.count === count && opened.shown === shownTo(play, link))
  if (!isShown || age < 0 || age > PAGE_VALID) return refused('ANSWER_PAGE_STALE')
  const isOver = isLinkOver({ link, contract: before ?? contract, today })
  if (isOver || (earlier && !before) || effect === 'too_late') return refused('ANSWER_NOT_POSSIBLE')
  if (choice === 'end' && isUnreasoned) return refused('END_REASON_UNKNOWN')
  return { refusal: undefined, effect, earlier }
}

/** Sends answers about one contract at the same time; now and then the process is killed at it. */
async function give(play: Play, attempts: [Attempt, ...Attempt[]]): Promise<void> {
  const { model, random } = play
  const [{ link }] = attempts
  const { contract } = link
  const { request } = contract.account
  const steps = random.chance(0.08) ? fewSteps(random) : Number.POSITIVE_INFINITY
  const { isDead, ...outside } = mortal(request, steps)
  const outcomes = attempts.map((attempt) => outcomeOf(play, attempt))
  const tokens: string[] = []
  for (const attempt of attempts) {
    const page = await pageOf(attempt.link)
    judgePage(play, attempt.link, page)
    tokens.push(attempt.opened?.pageToken ?? page?.pageToken ?? '')
  }
  remember(
    model,
    contract.id,
    `answered: ${attempts.map(textOf).join(' and ')}, expected ${JSON.stringify(outcomes.map(({ refusal, effect }) => refusal ?? effect))}`,
  )
  for (const { id } of model.rowsOf.get(contract.id) ?? []) model.touched.add(id)
  const told = await Promise.all(
    attempts.map((attempt, place) => refusalOf(sent({ ...request, ...outside }, attempt, tokens[place]), isDead)),
  )
  if (isDead()) noteOutage(model)
  const found = await newAnswersOf(play, contract)
  await judgeTaken(play, { attempts, outcomes, told, found, isDead: isDead() })
}

function textOf({ choice, link, opened }: Attempt): string {
  return `${choice} by contact ${link.contactId}, term ${link.offer.term}${opened ? ', from a page of before' : ''}`
}

function sent(ctx: RequestContext, { link, choice, isUnreasoned, ...wishes }: Attempt, pageToken = ''): Promise<void> {
  const { wishedAmount, wishedDate } = wishes
  const entered = EnteredAnswer.parse({
    choice,
    ...(choice === 'end' && { reason: isUnreasoned ? 'No such reason' : DEFAULT_END_REASONS[0] }),
    ...(choice === 'change' && { words: 'Please call me.' }),
    ...(wishedAmount !== null && { wishedAmount: String(wishedAmount) }),
    ...(wishedDate !== null && { wishedDate }),
  })
  return untilConnected(() => giveAnswer(ctx, link.token, { entered, pageToken, address: '192.0.2.7' }))
}

/** What a killed process says is not known. */
async function refusalOf(work: Promise<void>, isDead: () => boolean): Promise<string | undefined> {
  try {
    await work
    return undefined
  } catch (error) {
    if (error instanceof AppError) return error.key
    if (isDead()) return 'killed'
    throw error
  }
}
