import sql, { empty, type Sql } from 'sql-template-tag'
import { z } from 'zod'
import type { AnswerState } from '#shared/domain/customer-answer.ts'
import { AppError } from '#shared/errors.ts'
import type { AcceptAnswer, DeclineAnswer, ListAnswers } from '#shared/schemas/answers.ts'
import type { ById } from '#shared/schemas/fields.ts'
import type { ReaderContext, SubscriberContext } from '#server/context.ts'
import { contractsOf } from '#server/contracts/contract.rows.ts'
import { pageOf, type SortKey } from '#server/db/keyset.ts'
import { pageRow, pageStatement, pageView, type PageView } from '#server/db/page.ts'
import { answerMailsAdded } from '#server/ledger/answers.ts'
import { planSoon } from '#server/ledger/schedule.ts'
import { appendProof } from '#server/proofs/append-proof.ts'
import { partsOfDecision, readDecider } from './answer-proof.ts'
import { ANSWER_LISTED, answerView, isOvertaken, ListedAnswer, type AnswerView } from './answer.view.ts'
import { carryOut } from './carry-out.ts'
import type { Agreed } from './customer-answer.entity.ts'

const BY_TIME: SortKey = { name: 'answers', expression: 'w.answered_at', type: 'timestamptz', id: 'w.id' }
const AnswerPage = pageRow(ListedAnswer)

/**
 * A page of the customers' answers, newest first, with their total. Those that wait are left out while their contract is in
 * the trash.
 */
export async function listAnswers(
  { read, accountId }: ReaderContext,
  { show, contractId, ...position }: ListAnswers,
): Promise<PageView<AnswerView>> {
  const page = pageOf(BY_TIME, 'desc', position)
  const from = sql`
    from customer_answers w where w.account_id = ${accountId} ${shown(show)}
      ${contractId === undefined ? empty : sql`and w.contract_id = ${contractId}`}`
  const [found] = await read(pageStatement({ columns: ANSWER_LISTED, from, page }), AnswerPage)
  return pageView(found, page, ({ cursor: _cursor, ...row }) => answerView(row))
}

/** One that would wait does not while its contract is in the trash, and no longer once that is deleted for good. */
const WAITS = sql`(w.state = 'waiting' and exists (
  select from contracts k where k.account_id = w.account_id and k.id = w.contract_id))`
const ANSWERED = sql`(w.state <> 'waiting' or w.contract_id is null)`

function shown(show: ListAnswers['show']): Sql {
  if (show === undefined) return sql`and (${WAITS} or ${ANSWERED})`
  return show === 'waiting' ? sql`and ${WAITS}` : sql`and ${ANSWERED}`
}

const CountRow = z.object({ count: z.int() })

/** How many answers wait for the owner. */
export async function countWaiting({ read, accountId }: ReaderContext): Promise<{ count: number }> {
  const statement = sql`
    select count(*)::int as count from customer_answers w where w.account_id = ${accountId} and ${WAITS}`
  const [row] = await read(statement, CountRow)
  return row ?? { count: 0 }
}

/**
 * Accepts a customer's answer: the contract is renewed, with the amount and date that the customer wished unless the
 * request says otherwise, or ends. The customer is told by email.
 * @throws ANSWER_NOT_FOUND, also for somebody else's, ANSWER_DECIDED, CONTRACT_NOT_FOUND for one that was deleted,
 * ANSWER_OVERTAKEN, and what `renewContract` and `endContract` throw
 */
export async function acceptAnswer(
  ctx: SubscriberContext,
  { id, reply, amount, renewalDate }: AcceptAnswer,
): Promise<AnswerView> {
  const answer = await lockWaiting(ctx, id)
  const { contractId, termNumber, offer, choice, reason, words, wishedAmountCents, wishedDate } = answer
  if (contractId === null || isOvertaken(answer)) throw new AppError('ANSWER_OVERTAKEN')
  const agreed = await carryOut(ctx, {
    contractId,
    termNumber,
    renewalDate: offer.renewalDate,
    choice,
    amountCents: amount ?? wishedAmountCents ?? undefined,
    newRenewalDate: renewalDate ?? wishedDate ?? undefined,
    reason: reason ?? 'Other',
    words,
  })
  return decide(ctx, answer, { state: 'accepted', reply: reply ?? null, agreed })
}

/**
 * Declines a customer's answer: the contract stays as it is, its reminders go on, and the customer, who is told by email,
 * can answer again. An answer that the contract has overtaken is only dismissed.
 * @throws ANSWER_NOT_FOUND, also for somebody else's, ANSWER_DECIDED, CONTRACT_NOT_FOUND for one that was deleted
 */
export async function declineAnswer(ctx: SubscriberContext, { id, reply }: DeclineAnswer): Promise<AnswerView> {
  const answer = await lockWaiting(ctx, id)
  const state = isOvertaken(answer) ? 'overtaken' : 'declined'
  if (answer.contract) await planSoon(ctx, [answer.contract])
  return decide(ctx, answer, { state, reply: reply ?? null, agreed: null })
}

/**
 * The answer, with its contract locked first, as everywhere.
 * @throws ANSWER_NOT_FOUND, ANSWER_DECIDED, CONTRACT_NOT_FOUND
 */
async function lockWaiting({ write, accountId }: SubscriberContext, id: number): Promise<ListedAnswer> {
  await write(sql`
    select k.id ${contractsOf(accountId)} and k.id = (
      select contract_id from customer_answers where account_id = ${accountId} and id = ${id}) for no key update`)
  const statement = sql`
    select ${ANSWER_LISTED} from customer_answers w where w.account_id = ${accountId} and w.id = ${id} for update of w`
  const [answer] = await write(statement, ListedAnswer)
  if (!answer) throw new AppError('ANSWER_NOT_FOUND')
  if (answer.state !== 'waiting') throw new AppError('ANSWER_DECIDED')
  if (!answer.contract) throw new AppError('CONTRACT_NOT_FOUND')
  return answer
}

interface Decided {
  state: Extract<AnswerState, 'accepted' | 'declined' | 'overtaken'>
  reply: string | null
  agreed: Agreed | null
}

async function decide(
  ctx: SubscriberContext,
  answer: ListedAnswer,
  { state, reply, agreed }: Decided,
): Promise<AnswerView> {
  const { write, accountId, actor, services } = ctx
  const now = services.now()
  await write(sql`
    update customer_answers set state = ${state}, reply = ${reply}, agreed = ${agreed && JSON.stringify(agreed)}::jsonb,
      decided_at = ${now}, decided_by = ${actor}
    where account_id = ${accountId} and id = ${answer.id}`)
  if (state !== 'overtaken') await tellCustomer(ctx, answer)
  const [decided] = await write(
    sql`select ${ANSWER_LISTED} from customer_answers w where w.account_id = ${accountId} and w.id = ${answer.id}`,
    ListedAnswer,
  )
  if (!decided) throw new Error('A locked answer has disappeared')
  if (answer.isImported) return answerView(decided)
  await prove(ctx, answer, { state, reply, agreed, decidedAt: now })
  return answerView({ ...decided, hasCertificate: true })
}

/** Nothing is proved of what an archive has brought. */
async function prove(
  ctx: SubscriberContext,
  answer: ListedAnswer,
  { decidedAt, ...decision }: Decided & { decidedAt: Date },
): Promise<void> {
  const { write, accountId, actor, services } = ctx
  const { proofSigner, publicUrl } = services
  const { id: answerId, customerName, address, contractId, offer, contract } = answer
  const { title = null, reference = null } = contract ?? {}
  const contactName = await nameOfContact(ctx, answer)
  const account = await readDecider(write, accountId, actor)
  const parties = { ...account, customerName, contactName, address }
  const parts = partsOfDecision({ ...parties, contractId, title, reference, offer, answer, decision }, publicUrl)
  await appendProof(write, { accountId, answerId, kind: 'decided', at: decidedAt, parts }, proofSigner)
}

async function tellCustomer({ write, accountId, today, services }: SubscriberContext, answer: ListedAnswer) {
  const { contractId, customerId, customerName, number, contactId, termNumber, offer, contract } = answer
  if (contractId === null || customerId === null || !contract) return
  const contactName = await nameOfContact({ write, accountId }, { customerId, contactId })
  const mail = {
    contractId,
    customerId,
    customerName,
    kind: 'reply',
    number,
    recipient: 'customer',
    contactId,
  } as const
  const { renewalDate } = offer
  await write(
    answerMailsAdded([{ ...mail, contactName, renewalDate, termNumber }], { accountId, now: services.now(), today }),
  )
}

const NameRow = z.object({ name: z.string() })

async function nameOfContact(
  { write, accountId }: Pick<SubscriberContext, 'write' | 'accountId'>,
  { customerId, contactId }: Pick<ListedAnswer, 'customerId' | 'contactId'>,
): Promise<string | null> {
  if (contactId === 0 || customerId === null) return null
  const statement = sql`
    select name from customer_contacts where account_id = ${accountId} and customer_id = ${customerId} and id = ${contactId}`
  const [contact] = await write(statement, NameRow)
  return contact?.name ?? null
}

const RevokedRow = z.object({ id: z.int() })

/**
 * Ends all links about a contract that customers have: they get new ones with the next message.
 * @throws CONTRACT_NOT_FOUND, also for somebody else's
 */
export async function revokeLinks(ctx: SubscriberContext, { id }: ById): Promise<{ revoked: number }> {
  const { write, accountId, services } = ctx
  const [contract] = await write(sql`select k.id ${contractsOf(accountId)} and k.id = ${id} for no key update`)
  if (!contract) throw new AppError('CONTRACT_NOT_FOUND')
  const statement = sql`
    update answer_links set revoked_at = ${services.now()}
    where account_id = ${accountId} and contract_id = ${id} and revoked_at is null returning id`
  return { revoked: (await write(statement, RevokedRow)).length }
}
