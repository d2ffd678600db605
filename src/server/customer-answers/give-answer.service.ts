import sql, { empty } from 'sql-template-tag'
import { z } from 'zod'
import { offerOf } from '#shared/domain/customer-answer.ts'
import { AppError } from '#shared/errors.ts'
import type { EnteredAnswer } from '#shared/schemas/answers.ts'
import type { ActingContext, RequestContext, SystemContext } from '#server/context.ts'
import { contractsOf } from '#server/contracts/contract.rows.ts'
import { undoDecision } from '#server/contracts/renewals.service.ts'
import type { Actor } from '#server/db/actor.ts'
import type { Write } from '#server/db/database.ts'
import { rowOf } from '#server/db/insert.ts'
import { readLinkKey } from '#server/db/link-key.ts'
import { answerMailsAdded, answerMailsEnded, type AnswerMail } from '#server/ledger/answers.ts'
import { messagesEnded } from '#server/ledger/terms.ts'
import { addressKey, shortAddress } from '#server/limits/address-key.ts'
import { notificationsAdded } from '#server/notifications/notify.ts'
import { afterEarlierProofs, appendProof } from '#server/proofs/append-proof.ts'
import { linkOf, readAnswerPage } from './answer-page.service.ts'
import { partsOfAnswer, partsOfChange } from './answer-proof.ts'
import { shownText, type AnswerPage } from './answer-shown.ts'
import { isPageToken, type LinkRef } from './answer-token.ts'
import type { AnswerRow } from './answer.rows.ts'
import type { Linked } from './answered-contract.ts'
import { carryOut } from './carry-out.ts'
import { CustomerAnswerEntity, type Agreed } from './customer-answer.entity.ts'

/** An answer as it is sent from the page. */
export interface SentAnswer {
  entered: EnteredAnswer
  pageToken: string
  /** The network address that it comes from. */
  address: string
}

/** Answers of an account that wait in one process. What it sends waits for them, and its sender must not wait too long. */
const MOST_WAITING = 100

/**
 * Takes a customer's answer: renews or ends the contract, or leaves it to the owner, and tells both by email. The page that it
 * was given on must still show the same. A change
 * within the hour undoes the earlier answer first. All of it is one transaction, together with its proof.
 * @throws ANSWER_LINK_NOT_FOUND, ANSWER_PAGE_STALE, ANSWER_NOT_POSSIBLE, END_REASON_UNKNOWN, TOO_MANY_REQUESTS, TOO_MANY_AT_ONCE
 */
export async function giveAnswer(
  ctx: SystemContext & Pick<RequestContext, 'limits'>,
  token: string,
  sent: SentAnswer,
): Promise<void> {
  const link = await linkOf(ctx, token)
  await ctx.limits.take('customerAnswers', addressKey(sent.address))
  const key = await readLinkKey(ctx.db)
  const work = () =>
    ctx.db.as('checked-link').writeAs(link.accountId, async (_em, write) => {
      await lockContractOf(write, link)
      const page = await readAnswerPage(ctx, link, write)
      const now = ctx.services.now()
      const asked = { answers: page.linked.count, shown: shownText(page) }
      if (!isPageToken(key, link, { ...asked, token: sent.pageToken, now })) throw new AppError('ANSWER_PAGE_STALE')
      await actAs(write, `customer:${page.linked.contract.customerId}`)
      await take({ ...ctx, write, link, now }, page, sent)
    })
  await afterEarlierProofs(link.accountId, work, MOST_WAITING)
}

/** Has the rest of the transaction run on somebody's behalf, once it is known whose. */
function actAs(write: Write, actor: Actor): Promise<void> {
  return write.later(sql`select set_config('app.actor', ${actor}, true)`)
}

function lockContractOf(write: Write, { accountId, linkId }: LinkRef): Promise<void> {
  return write.later(sql`
    select k.id ${contractsOf(accountId)} and k.id = (
      select contract_id from answer_links where account_id = ${accountId} and id = ${linkId}) for no key update`)
}

interface AnswerTransaction extends SystemContext {
  write: Write
  link: LinkRef
  now: Date
}

async function take(transaction: AnswerTransaction, page: AnswerPage, { entered, address }: SentAnswer): Promise<void> {
  const { write, link, now, services } = transaction
  const { linked, answer: earlier, canChange, obstacle, effects } = page
  const effect = effects[entered.choice]
  if (obstacle || (earlier && !canChange) || effect === 'too_late') throw new AppError('ANSWER_NOT_POSSIBLE')
  const { accountId } = link
  const { today, contract, contactId } = linked
  const acting: ActingContext = { read: write, write, accountId, today, services: { ...services, now: () => now } }
  if (earlier) await withdraw(acting, earlier)
  const reason = entered.choice === 'end' ? knownReason(linked, entered.reason) : null
  const agreed = effect === 'at_once' ? await effectiveNow(acting, page, { ...entered, reason }) : null
  const given: NewAnswer = {
    accountId,
    contractId: contract.id,
    customerId: contract.customerId,
    customerName: contract.customerName,
    termNumber: linked.termNumber,
    number: linked.lastNumber + 1,
    linkId: link.linkId,
    contactId,
    address: linked.address,
    choice: entered.choice,
    state: agreed ? 'done' : 'waiting',
    isLate: entered.choice === 'end' && effect === 'waits',
    isChange: earlier !== undefined,
    wishedAmountCents: entered.choice === 'change' ? (entered.wishedAmount ?? null) : null,
    wishedDate: entered.choice === 'change' ? (entered.wishedDate ?? null) : null,
    reason,
    words: entered.words ?? null,
    offer: offerOf(page.contract),
    network: shortAddress(address),
    answeredAt: now,
    agreed,
    isImported: false,
  }
  const id = await add(transaction, page, given)
  await prove(transaction, page, { id, given, earlier })
}

type NewAnswer = Omit<AnswerRow, 'id' | 'decidedAt' | 'decidedBy' | 'reply'> & {
  accountId: number
  contractId: number
  customerId: number
}

/** Undoes an answer that the customer changes. */
async function withdraw(ctx: ActingContext, { contractId, termNumber, number, state, id }: AnswerRow): Promise<void> {
  const { write, accountId, services } = ctx
  if (state === 'done' && contractId !== null) await undoDecision(ctx, { id: contractId })
  await write(sql`update customer_answers set state = 'withdrawn' where account_id = ${accountId} and id = ${id}`)
  if (contractId === null) return
  await write(answerMailsEnded({ contractId, termNumber, number }, { accountId, now: services.now() }))
}

/** A reason as the account's list has it. @throws END_REASON_UNKNOWN */
function knownReason({ reasons }: Linked, sent: string | undefined): string {
  const reason = reasons.find((one) => one.toLowerCase() === sent?.toLowerCase())
  if (reason !== undefined) return reason
  throw new AppError('END_REASON_UNKNOWN', { values: { reasons: reasons.join(', ') }, details: { reasons } })
}

function effectiveNow(
  ctx: ActingContext,
  { contract, linked }: AnswerPage,
  { choice, reason, words }: Pick<EnteredAnswer, 'choice' | 'words'> & { reason: string | null },
): Promise<Agreed> {
  const { termNumber, renewalDate } = contract
  const contractId = linked.contract.id
  return carryOut(ctx, { contractId, termNumber, renewalDate, choice, reason: reason ?? '', words: words ?? null })
}

const IdRow = z.object({ id: z.int() })

/** Adds the answer, stops the reminders that are planned, and tells the customer and the owner. Returns its ID. */
async function add({ write, link, now }: AnswerTransaction, { linked }: AnswerPage, given: NewAnswer): Promise<number> {
  const { accountId } = link
  const { today, contract } = linked
  const moment = { accountId, now, today }
  const { contractId } = given
  const isDone = given.state === 'done'
  const { customerName, choice } = given
  const { title } = contract
  const notification = { kind: 'customer_answered', customerName, title, choice, isDone, contractId } as const
  const ended = messagesEnded([{ contractId, reason: 'answered', isCustomerOnly: true }], moment)
  const [added] = await write(
    sql`
      with added as (insert into customer_answers ${rowOf(CustomerAnswerEntity, given)} returning id),
        mailed as (${answerMailsAdded(mailsOf(given, contract.contactName), moment)}),
        notified as (${notificationsAdded([notification], moment)})
        ${isDone ? empty : sql`, ended as (${ended})`}
      select id from added`,
    IdRow,
  )
  if (!added) throw new Error('An answer was added')
  return added.id
}

interface RecordedAnswer {
  id: number
  given: NewAnswer
  earlier: AnswerRow | undefined
}

/** Of a changed answer, that it was changed. The last step: others wait for it. */
async function prove(
  { write, now, services }: AnswerTransaction,
  page: AnswerPage,
  { id, given, earlier }: RecordedAnswer,
) {
  const { accountId, address, contractId, customerName, offer } = given
  const { company, ownerEmail, contract } = page.linked
  const { proofSigner, publicUrl } = services
  const { contactName, title, reference } = contract
  const moment = { accountId, at: now }
  if (earlier) {
    const parts = partsOfChange(earlier, { id, publicUrl })
    await appendProof(write, { ...moment, answerId: earlier.id, kind: 'changed', parts }, proofSigner)
  }
  const parties = { company, ownerEmail, customerName, contactName, address }
  const about = { contractId, title, reference, offer, next: page.next }
  const parts = partsOfAnswer({ ...parties, ...about, given, replaces: earlier?.id }, publicUrl)
  await appendProof(write, { ...moment, answerId: id, kind: 'answered', parts }, proofSigner)
}

function mailsOf(given: NewAnswer, contactName: string | null): AnswerMail[] {
  const { contractId, customerId, customerName, number, termNumber, contactId, offer } = given
  const mail = { contractId, customerId, customerName, kind: 'answer', number, termNumber } as const
  return [
    { ...mail, recipient: 'customer', contactId, contactName, renewalDate: offer.renewalDate },
    { ...mail, recipient: 'owner', contactId: 0, contactName: null, renewalDate: offer.renewalDate },
  ]
}
