import sql from 'sql-template-tag'
import { effectOf, endDayOf, isSameOffer, type AnswerableContract } from '#shared/domain/customer-answer.ts'
import type { Day } from '#shared/domain/day.ts'
import { renewal } from '#shared/domain/renewal.ts'
import { AppError } from '#shared/errors.ts'
import type { RequestContext, Services } from '#server/context.ts'
import { DecidedContract } from '#server/contracts/decisions.ts'
import { DECISION, DecisionRow, undoOf } from '#server/contracts/undo.ts'
import type { Read } from '#server/db/database.ts'
import { readLinkKey } from '#server/db/link-key.ts'
import { openPdf, type OpenPdf } from '#server/files/files.service.ts'
import { shownText, type AnswerPage, type NextTerm, type OpenedPage } from './answer-shown.ts'
import { linkOfToken, pageToken, type LinkRef } from './answer-token.ts'
import type { AnswerRow } from './answer.rows.ts'
import { answerObstacle, mayChange, readLinked, standingAnswer, type Linked } from './answered-contract.ts'

export type PageContext = Pick<RequestContext, 'db' | 'services'>

/** Shows what a link is about. Changes nothing. @throws ANSWER_LINK_NOT_FOUND */
export async function openAnswerPage(ctx: PageContext, token: string): Promise<OpenedPage> {
  const link = await linkOf(ctx, token)
  const page = await readAnswerPage(ctx, link, ctx.db.as('link').readAs(link.accountId))
  const sealed = { answers: page.linked.count, shown: shownText(page), now: ctx.services.now() }
  return { ...page, pageToken: pageToken(await readLinkKey(ctx.db), link, sealed) }
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
export async function readAnswerPage(
  { services }: { services: Pick<Services, 'now' | 'billingNow'> },
  link: LinkRef,
  read: Read,
): Promise<AnswerPage> {
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
  const { preferences, today } = linked
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
    endDay: endDayOf(contract, today),
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
