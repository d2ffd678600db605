import sql from 'sql-template-tag'
import { dayIn } from '#shared/domain/day.ts'
import { mailDay, type MailLimit } from '#shared/domain/mail-limits.ts'
import { deliveriesOverLimit } from '#shared/domain/mail-over-limit.ts'
import { isAboutAnswer } from '#shared/domain/reminder-plan.ts'
import { deliveryOf, isRepeat, type DeliveryFacts } from '#shared/domain/reminder-delivery.ts'
import type { SystemContext } from '#server/context.ts'
import type { Write } from '#server/db/database.ts'
import { sentMessage, type Outgoing } from './deliver.ts'
import { factsOfMessage } from './message-proof.ts'
import { lockDue, MOST_IN_A_MAIL, type DueReminder } from './due-reminders.ts'
import { chunksOf } from '#server/limits/in-parallel.ts'
import { markSending, type Batch, type SentMessage } from '#server/ledger/ledger.ts'
import { countMail, tellOfLimit, type Counting } from '#server/deliverability/mail-limits.service.ts'
import type { Planning } from '#server/reminders/notices.ts'
import { readLinkKey } from '#server/db/link-key.ts'
import { keyOfMessageId, rowOfMessageId } from '#server/deliverability/reader-keys.ts'
import { hasFullAccess, readReminderAccount, type ReminderAccount } from '#server/reminders/reminder-account.ts'
import { mailAbout, type WrittenAbout } from '#server/reminders/letters/reminder-mail.ts'
import { CHOSEN_RULE, emailDaysOf, windowByRule, type WindowByRule } from '#server/notice-rules/chosen-rule.ts'
import { renewalColumns, renewedTerm } from '#server/reminders/confirmations.ts'
import { IS_OF_TERM } from '#server/reminders/plan-notices.ts'
import { asReadBy, SUBJECT_COLUMNS, SUBJECT_TABLES, subjectOf } from '#server/reminders/reminder-subject.ts'
import type { AnswerToTell } from '#server/reminders/letters/answer-letter.ts'
import { answersToTell, answerUrls } from './answers.ts'
import { ContractNow, settle, type Decided } from './settle.ts'

export interface Claimed extends Outgoing {
  attempts: number
}

export interface Claims {
  mails: Claimed[]
  /** How many rows need no sending, or not today. */
  settled: number
  /** The limit for which messages wait, if it is the first that day. */
  limitMet?: MailLimit | undefined
}

/**
 * Claims messages for sending, so that no other process sends them: their rows say so before the mail server hears of
 * them. Messages to the same reader are one email. Those no longer wanted are skipped, and those over a limit wait.
 */
export async function claim({ db, services }: SystemContext, batch: Batch): Promise<Claims> {
  const linkKey = await readLinkKey(db)
  return db.writeAs(batch.accountId, async (_em, write) => {
    const now = services.now()
    const rows = await lockDue(write, batch, now)
    if (rows.length === 0) return { mails: [], settled: 0 }
    const account = await readReminderAccount(write, batch.accountId)
    const planning = { account, now, today: dayIn(now, account.timeZone) }
    const hasAccess = hasFullAccess(account, services.billingNow())
    const due = await decide(write, rows, { ...planning, hasAccess })
    await settle(write, due, planning)
    const wanted = due.filter(isWanted)
    const { mails, held, limitMet } = await limit(write, mailsOf(wanted), {
      ...planning,
      billingNow: services.billingNow(),
      limits: services.mailLimits,
    })
    await settle(write, held, planning)
    const claimed: Claimed[] = []
    for (const mail of mails) claimed.push(await claimMail(write, mail, { ...planning, services, linkKey }))
    return { mails: claimed, settled: rows.length - wanted.length + held.length, limitMet }
  })
}

/** A message that is sent by email. */
interface Wanted extends Decided {
  contract: ContractNow
}

function isWanted(one: Decided): one is Wanted {
  return one.contract !== undefined && one.delivery.outcome === 'send'
}

async function decide(write: Write, rows: DueReminder[], { account, ...moment }: Planning & { hasAccess: boolean }) {
  const contracts = await readContracts(write, rows, account)
  const answers = await answersToTell(write, account.id, rows)
  const facts: Omit<DeliveryFacts, 'subject'> = {
    ...moment,
    hasCompanyName: account.company.name !== null,
    isOwnerVerified: account.isOwnerVerified,
    isMailStopped: account.isMailStopped,
  }
  return rows.map((row): Decided => {
    const contract = contracts.get(row.contractId ?? 0)
    const subject = contract && {
      ...subjectOf(contract, account),
      since: contract.since,
      termNumber: contract.termNumber,
      notice: emailDaysOf(contract),
    }
    const told = answers.get(row.id)
    const readBy = contract && asReadBy(contract, row.contactId)
    const delivery = deliveryOf(row, { ...facts, subject })
    const reason = isAboutAnswer(row.kind) ? whyNotSent(row, told, readBy) : undefined
    return { row, contract: readBy, delivery: reason ? notSent(row, reason) : delivery, told }
  })
}

/** Why an email about an answer has no content, or no reader: whoever has the contract or address since did not answer. */
function whyNotSent(
  { recipient }: DueReminder,
  told: AnswerToTell | undefined,
  contract: ContractNow | undefined,
): 'answer_changed' | 'reader_changed' | undefined {
  if (!told) return 'answer_changed'
  if (recipient === 'owner' || !contract) return undefined
  const { customerId, address } = told.answer
  const hasOtherAddress = contract.email !== null && address !== contract.email.toLowerCase()
  return customerId !== contract.customerId || hasOtherAddress ? 'reader_changed' : undefined
}

function notSent({ isInterrupted }: DueReminder, reason: 'answer_changed' | 'reader_changed'): Decided['delivery'] {
  return isInterrupted ? { outcome: 'give_up' } : { outcome: 'skip', reason }
}

async function readContracts(write: Write, rows: DueReminder[], { id, timeZone }: ReminderAccount) {
  const contractIds = [...new Set(rows.map(({ contractId }) => contractId))]
  const confirmedIds = rows.flatMap(({ kind, contractId }) => (kind === 'confirmation' && contractId) || [])
  const noticedIds = rows.flatMap(({ kind, others, contractId }) => {
    const isAsked = kind === 'notice' || others.some((other) => other.kind === 'notice' && other.state === 'planned')
    return (isAsked && contractId) || []
  })
  const statement = sql`
    select ${SUBJECT_COLUMNS}, ${renewalColumns(sql`k.id = any(${confirmedIds}::int[])`)},
      (k.reminders_since at time zone ${timeZone})::date as since, case when k.id = any(${noticedIds}::int[]) and not exists (
        select from notices n where ${IS_OF_TERM} and n.posted_on is not null) then ${CHOSEN_RULE} end as chosen
    from ${SUBJECT_TABLES} where k.account_id = ${id} and k.id = any(${contractIds}::int[])`
  const contracts = await write(statement, ContractNow)
  return new Map(contracts.map((contract) => [contract.contractId, contract]))
}

/** One email, of one row or more. */
type Mail = readonly [Wanted, ...Wanted[]]

function mailsOf(wanted: Wanted[]): Mail[] {
  const mails: Mail[] = []
  for (const group of Map.groupBy(wanted, readerOf).values()) {
    for (const [first, ...others] of chunksOf(group, MOST_IN_A_MAIL)) {
      if (first) mails.push([first, ...others])
    }
  }
  return mails
}

/** The same for all rows of an email: one that may have been sent is only ever repeated as it was. */
function readerOf({ row, contract }: Wanted): string {
  if (isRepeat(row, contract)) return `again ${row.messageId ?? row.id}`
  if (isAboutAnswer(row.kind)) return `answer ${row.id}`
  // Its text is its own, and has to be kept as it was sent.
  if (row.kind === 'notice') return `notice ${row.id}`
  if (row.kind === 'manual') return `by hand ${contract.email?.toLowerCase()}`
  return row.recipient === 'owner' ? 'owner' : `customer ${contract.email?.toLowerCase()}`
}

/** Counts messages to customers, and decides about those over a limit. */
async function limit(write: Write, mails: Mail[], counting: Counting) {
  const toCustomers = mails.filter(([{ row }]) => row.recipient === 'customer')
  const addresses = toCustomers.map(([{ contract }]) => contract.email ?? '')
  const refusals = await countMail(write, addresses, counting)
  const refused = new Map<Mail, MailLimit>()
  for (const [index, mail] of toCustomers.entries()) {
    const refusal = refusals[index]
    if (refusal) refused.set(mail, refusal)
  }
  const held = [...refused].flatMap(([mail, reason]) => heldBy(mail, reason))
  const waiting = held.find(({ delivery }) => delivery.outcome === 'wait')
  const isFirst = waiting && (await tellOfLimit(write, waiting.by, counting))
  return { mails: mails.filter((mail) => !refused.has(mail)), held, limitMet: isFirst ? waiting.by : undefined }
}

function heldBy(mail: Mail, by: MailLimit) {
  const deliveries = deliveriesOverLimit(
    mail.map(({ row }) => row),
    by,
  )
  return deliveries.flatMap((delivery, index) => {
    const one = mail[index]
    return one ? [{ ...one, delivery, by }] : []
  })
}

interface Claiming extends Planning, Pick<SystemContext, 'services'> {
  linkKey: string
}

async function claimMail(
  write: Write,
  mail: Mail,
  { account, now, today, services, linkKey }: Claiming,
): Promise<Claimed> {
  const [wanted, ...others] = mail
  const { row: first, contract } = wanted
  const rows = mail.map(({ row }) => row)
  const ids = rows.map(({ id }) => id)
  const { recipient } = first
  const { publicUrl, billingNow, mailer } = services
  const urls = await answerUrls(write, mail, { account, now, today, publicUrl, linkKey })
  const about = (one: Wanted) => ({
    ...writtenAbout(one),
    told: one.told,
    answerUrl: urls.get(one.contract.contractId),
  })
  const message = mailAbout([about(wanted), ...others.map(about)], {
    id: first.id,
    key: isRepeat(first, contract) && first.messageId ? keyOfMessageId(first.messageId) : undefined,
    recipient,
    account,
    today,
    publicUrl,
    billingNow: billingNow(),
    linkKey,
  })
  const claimed = { ids, accountId: account.id, sendingAt: now }
  const stored = sentMessage(message, mailer)
  await markSending(write, claimed, { message: stored, isRepeat: first.isInterrupted })
  return {
    ...claimed,
    message,
    today,
    ...(recipient === 'customer' ? provedToCustomer(mail, { account, now, today, stored }) : TO_OWNER),
    attempts: Math.max(...rows.map(({ attempts }) => attempts)) + 1,
  }
}

const TO_OWNER = { countedOn: undefined, proof: undefined }

/** What counts and proves an email to a customer. */
function provedToCustomer(mail: Mail, { now, ...sending }: Planning & { stored: SentMessage }) {
  const [{ row: first }] = mail
  const about = mail.map((one) => ({ ...one.row, row: writtenAbout(one), window: windowOfNotice(one) }))
  // The row that the Message-ID names, by which events of the mail provider find it.
  const reminderId = rowOfMessageId(sending.stored.messageId) ?? first.id
  return { countedOn: mailDay(now), proof: factsOfMessage(about, { ...sending, reminderId }) }
}

function windowOfNotice({ row, contract }: Wanted): WindowByRule | undefined {
  return row.kind === 'notice' ? windowByRule(contract) : undefined
}

function writtenAbout({ row, contract }: Wanted): WrittenAbout {
  if (row.kind === 'notice') return { ...contract, isNotice: true }
  return row.kind === 'confirmation' ? { ...contract, renewed: renewedTerm(contract) } : contract
}
