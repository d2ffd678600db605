import sql from 'sql-template-tag'
import {
  effectOf,
  isSameOffer,
  type AnswerableContract,
  type AnswerChoice,
  type AnswerEffect,
} from '#shared/domain/customer-answer.ts'
import type { Day } from '#shared/domain/day.ts'
import type { Cents } from '#shared/domain/money.ts'
import { renewal } from '#shared/domain/renewal.ts'
import type { RenewalCycle } from '#shared/domain/renewal-cycle.ts'
import { AppError } from '#shared/errors.ts'
import type { RequestContext } from '#server/context.ts'
import { DecidedContract } from '#server/contracts/decisions.ts'
import { DECISION, DecisionRow, undoOf } from '#server/contracts/undo.ts'
import type { Read } from '#server/db/database.ts'
import { readLinkKey } from '#server/db/link-key.ts'
import { openPdf, type OpenPdf } from '#server/files/files.service.ts'
import { linkOfToken, pageToken, type LinkRef } from './answer-token.ts'
import type { AnswerRow } from './answer.rows.ts'
import {
  answerObstacle,
  mayChange,
  readLinked,
  standingAnswer,
  type AnswerObstacle,
  type Linked,
} from './answered-contract.ts'

export type PageContext = Pick<RequestContext, 'db' | 'services'>

/** The next term as the customer is offered it. */
export interface NextTerm {
  startDate: Day
  renewalDate: Day
  amountCents: Cents
  renewalCycle: RenewalCycle
}

/** What the page behind a link shows. */
export interface AnswerPage {
  accountId: number
  linked: Linked
  /** The contract as it was offered, before an answer that can still be changed. */
  contract: AnswerableContract
  next: NextTerm
  /** The answer that counts, if there is one that the link may show. */
  answer: AnswerRow | undefined
  /** Whether this link gave it. */
  isOwn: boolean
  /** Whether the link gave it and can still change it. */
  canChange: boolean
  /** Why nothing can be answered, also where there is an answer; undefined if something can. */
  obstacle: AnswerObstacle | undefined
  /** What each answer would do. */
  effects: Record<AnswerChoice, AnswerEffect>
  /** What a form has to send with an answer. */
  pageToken: string
}

/** Shows what a link is about. Changes nothing. @throws ANSWER_LINK_NOT_FOUND */
export async function openAnswerPage(ctx: PageContext, token: string): Promise<AnswerPage> {
  const link = await linkOf(ctx, token)
  return readAnswerPage(ctx, link, ctx.db.as('link').readAs(link.accountId))
}

/**
 * The PDF of the contract that a link is about, if customers may read it.
 * @throws ANSWER_LINK_NOT_FOUND, also where they may not; PDF_NOT_FOUND, PDF_LOAD_FAILED
 */
export async function openAnswerPdf(ctx: PageContext, token: string): Promise<OpenPdf> {
  const { linked, obstacle, accountId } = await openAnswerPage(ctx, token)
  if (!linked.preferences.showsPdf || obstacle) throw new AppError('ANSWER_LINK_NOT_FOUND')
  const { services, db } = ctx
  return openPdf({ read: db.as('link').readAs(accountId), accountId, services }, linked.contract)
}

/** The link that a token is for. @throws ANSWER_LINK_NOT_FOUND */
export async function linkOf({ db }: PageContext, token: string): Promise<LinkRef> {
  const link = linkOfToken(await readLinkKey(db), token)
  if (!link) throw new AppError('ANSWER_LINK_NOT_FOUND')
  return link
}

/** What a link's page shows, as `read` sees it. @throws ANSWER_LINK_NOT_FOUND */
export async function readAnswerPage({ db, services }: PageContext, link: LinkRef, read: Read): Promise<AnswerPage> {
  const linked = await readLinked(read, link, services)
  if (!linked) throw new AppError('ANSWER_LINK_NOT_FOUND')
  const now = services.now()
  const answer = standingAnswer(linked)
  const undone =
    answer && mayChange(linked, link.linkId, now) ? await beforeAnswer(read, link, { linked, answer }) : undefined
  const contract = undone ?? linked.contract
  const obstacle = answerObstacle(linked, contract, services)
  const canChange = undone !== undefined && obstacle === undefined
  // Who has an old link sees nothing of what came later.
  const shown = obstacle ? { ...contract, ...linked.offer } : contract
  const shownAnswer = answer && showsAnswer(linked, link, answer) ? answer : undefined
  const { preferences, today, count } = linked
  const deciding = { preferences, today }
  return {
    accountId: link.accountId,
    linked,
    contract: shown,
    next: nextTerm(shown, today),
    answer: shownAnswer,
    isOwn: shownAnswer?.linkId === link.linkId,
    canChange,
    obstacle,
    effects: {
      renew: effectOf('renew', contract, deciding),
      change: effectOf('change', contract, deciding),
      end: effectOf('end', contract, deciding),
    },
    pageToken: pageToken(await readLinkKey(db), link, { answers: count, now }),
  }
}

/**
 * A link shows no answer once it is withdrawn or the contract is another customer's, and only its own once the contact has
 * another address.
 */
function showsAnswer(
  { revokedAt, contract, offer, address }: Linked,
  { linkId }: LinkRef,
  answer: Pick<AnswerRow, 'linkId'>,
): boolean {
  if (revokedAt !== null || contract.customerId !== offer.customerId) return false
  return answer.linkId === linkId || contract.address === address
}

function nextTerm(contract: AnswerableContract, today: Day): NextTerm {
  const { contract: next } = renewal(contract, {}, today)
  const { termStart, renewalDate, amountCents, renewalCycle } = next
  return { startDate: termStart ?? contract.renewalDate, renewalDate, amountCents, renewalCycle }
}

/**
 * The contract as it was before an answer, or as it is if the answer still waits; undefined if it has been decided about
 * otherwise since.
 */
async function beforeAnswer(
  read: Read,
  { accountId }: LinkRef,
  { linked: { contract, offer }, answer }: { linked: Linked; answer: AnswerRow },
): Promise<AnswerableContract | undefined> {
  if (answer.state === 'waiting') return contract
  const statement = sql`
    select ${DECISION} from contract_decisions d
    where account_id = ${accountId} and contract_id = ${contract.id} order by id desc limit 1`
  const [last] = await read(statement, DecisionRow)
  const isOfAnswer = last?.decidedAt.getTime() === answer.answeredAt.getTime() && last.decidedBy.startsWith('customer:')
  if (!last || !isOfAnswer) return undefined
  const { restored, overtakenBy } = undoOf(DecidedContract.parse(contract), last)
  const before = { ...contract, ...restored }
  return overtakenBy.length === 0 && isSameOffer(offer, before) ? before : undefined
}
