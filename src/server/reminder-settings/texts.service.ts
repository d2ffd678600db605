import sql, { empty, type Sql } from 'sql-template-tag'
import { z } from 'zod'
import { isPaying } from '#shared/domain/access.ts'
import { addDays, addDaysIfAny, type Day } from '#shared/domain/day.ts'
import { centsFromAmount } from '#shared/domain/money.ts'
import type { Renews } from '#shared/domain/renewal.ts'
import { DEFAULT_TEXTS, textHasLink, type ReminderText, type TextKind } from '#shared/domain/reminder-text.ts'
import { AppError } from '#shared/errors.ts'
import type { TextOfKind, TryText, WriteText } from '#shared/schemas/reminder-texts.ts'
import { requireSubscriber, type ReaderContext, type SubscriberContext } from '#server/context.ts'
import { ContractEntity } from '#server/contracts/contract.entity.ts'
import { IS_OPEN } from '#server/contracts/contract.rows.ts'
import { CustomerEntity } from '#server/customers/customer.entity.ts'
import { columnsOf } from '#server/db/columns.ts'
import type { Read } from '#server/db/database.ts'
import { letterText } from '#server/mail/letter.ts'
import { letterHtml, sendLetter } from '#server/mail/mailer.ts'
import { readReminderAccount, type ReminderAccount } from '#server/reminders/reminder-account.ts'
import type { ReminderFacts } from '#server/reminders/letters/contract-facts.ts'
import { writeReminder, type WrittenReminder } from '#server/reminders/letters/reminder-letter.ts'
import { ReminderTextEntity } from '#server/reminders/reminder-preferences.entity.ts'
import { senderOf, sentBy, wordingOf } from '#server/reminders/letters/reminder-mail.ts'

export interface TextView extends ReminderText {
  /** Not changed by the account. */
  isDefault: boolean
}

export type TextsView = Record<TextKind, TextView>

/** The account's templates, by how a contract renews and for after a renewal date. */
export async function getTexts({ read, accountId }: ReaderContext): Promise<TextsView> {
  return readTexts(read, accountId)
}

/**
 * Applies from the next message on.
 * @throws TEXT_HAS_LINKS if the account has not paid yet
 */
export async function saveText(ctx: SubscriberContext, text: WriteText): Promise<TextsView> {
  const { em, write, accountId, caller, services } = ctx
  const { kind, subject, body } = text
  if (!isPaying(caller.subscription, services.billingNow()) && textHasLink(text)) throw new AppError('TEXT_HAS_LINKS')
  if (isDefault(kind, text)) return discard(ctx, { kind })
  await em.upsert(ReminderTextEntity, { accountId, kind, subject, body })
  return readTexts(write, accountId)
}

/** Resetting twice changes nothing. */
export async function resetText(ctx: SubscriberContext, text: TextOfKind): Promise<TextsView> {
  return discard(ctx, text)
}

async function discard({ em, read, accountId }: SubscriberContext, { kind }: TextOfKind): Promise<TextsView> {
  await em.nativeDelete(ReminderTextEntity, { accountId, kind })
  return readTexts(read, accountId)
}

const TEXT = columnsOf(ReminderTextEntity, 't', ['kind', 'subject', 'body'])
const TextRow = z.object(TEXT.fields)

async function readTexts(read: Read, accountId: number): Promise<TextsView> {
  const rows = await read(sql`select ${TEXT} from reminder_texts t where account_id = ${accountId}`, TextRow)
  const viewOf = (kind: TextKind): TextView => {
    const { subject, body } = rows.find((row) => row.kind === kind) ?? DEFAULT_TEXTS[kind]
    return { subject, body, isDefault: isDefault(kind, { subject, body }) }
  }
  return {
    reminder: viewOf('reminder'),
    reminder_automatic: viewOf('reminder_automatic'),
    reminder_never: viewOf('reminder_never'),
    follow_up: viewOf('follow_up'),
  }
}

function isDefault(kind: TextKind, { subject, body }: ReminderText): boolean {
  return subject === DEFAULT_TEXTS[kind].subject && body === DEFAULT_TEXTS[kind].body
}

/** A template as a customer would read it. */
export interface TextPreview {
  subject: string
  text: string
  html: string
  /** The customer of the contract. */
  customerName: string
  /** Whether the contract is made up, because there is no open one that renews like this, or none of the chosen customer. */
  isExample: boolean
}

/** How many days before or after the renewal date a preview is written. */
const PRETENDED_DAYS: Record<TextKind, number> = {
  reminder: -7,
  reminder_automatic: -7,
  reminder_never: -7,
  follow_up: 3,
}

/** How the contract of a preview renews; a follow-up is about any. */
const RENEWS: Record<TextKind, Renews | undefined> = {
  reminder: 'by_agreement',
  reminder_automatic: 'automatic',
  reminder_never: 'never',
  follow_up: undefined,
}

/** @throws CUSTOMER_NOT_FOUND, also for somebody else's, TOO_MANY_REQUESTS, TOO_MANY_AT_ONCE */
export function previewText(ctx: ReaderContext, written: TryText): Promise<TextPreview> {
  return ctx.limits.during('previews', ctx.accountId, async () => {
    const { subject, letter, contract } = await asWritten(ctx, written)
    const { customerName, isExample } = contract
    return { subject, text: letterText(letter), html: await letterHtml(subject, letter), customerName, isExample }
  })
}

/** Sends the text to the account's own address, and to nobody else. @throws EMAIL_UNVERIFIED, TOO_MANY_REQUESTS, TEXT_TEST_FAILED besides */
export async function sendTestText(ctx: ReaderContext, written: TryText): Promise<{ message: string }> {
  const { services, log, limits, accountId } = requireSubscriber(ctx)
  await limits.take('testMails', accountId)
  const { subject, letter, account } = await asWritten(ctx, written)
  const to = account.owner.email
  if (!to) throw new AppError('EMAIL_UNVERIFIED')
  try {
    await sendLetter(services.mailer, { to, subject: `Test: ${subject}`, letter, ...sentBy(account) })
  } catch (error) {
    log.warn({ err: error }, 'a test email was not sent')
    throw new AppError('TEXT_TEST_FAILED', { cause: error })
  }
  return { message: `Test sent to ${to}` }
}

interface Written extends WrittenReminder {
  account: ReminderAccount
  contract: Shown
}

async function asWritten({ read, accountId, today, services }: ReaderContext, text: TryText): Promise<Written> {
  const { kind, subject, body, customerId } = text
  const account = await readReminderAccount(read, accountId)
  const wanted = { accountId, today, kind, customerId }
  const contract = (await nearestContract(read, wanted)) ?? (await exampleFor(read, wanted))
  const facts: ReminderFacts = {
    ...contract,
    recipient: 'customer',
    sender: senderOf(account),
    today: addDaysIfAny(contract.renewalDate, PRETENDED_DAYS[kind]) ?? contract.renewalDate,
  }
  const wording = {
    ...wordingOf(account, { publicUrl: services.publicUrl, billingNow: services.billingNow() }),
    texts: { ...account.texts, [kind]: { subject, body } },
    contractUrl: '',
    // Following the link of a preview must not unsubscribe a real customer.
    unsubscribeUrl: `${services.publicUrl}/unsubscribe/example`,
    reportUrl: `${services.publicUrl}/report/example`,
  }
  return { ...writeReminder(facts, wording), account, contract }
}

const TERMS = columnsOf(ContractEntity, 'k', [
  'id',
  'title',
  'reference',
  'amountCents',
  'renewalCycle',
  'renewalDate',
  'renews',
  'noticePeriod',
  'nextAmountCents',
  'nextCycle',
])
const CUSTOMER = columnsOf(CustomerEntity, 'c', ['name', 'email'])

const CustomerRow = z.object(CUSTOMER.fields)
const NearestRow = CustomerRow.extend(TERMS.fields)

interface Shown extends Omit<z.output<typeof NearestRow>, 'id' | 'name'> {
  contractId: number
  customerName: string
  isExample: boolean
}

interface Wanted {
  accountId: number
  today: Day
  kind: TextKind
  customerId: number | undefined
}

/** The open contract that renews next, or for follow-ups was due last; otherwise the nearest on the other side of today. */
async function nearestContract(read: Read, { accountId, today, kind, customerId }: Wanted): Promise<Shown | undefined> {
  const upcoming = sql`k.renewal_date >= ${today} order by k.renewal_date, k.id`
  const past = sql`k.renewal_date < ${today} order by k.renewal_date desc, k.id`
  const whose = customerId === undefined ? empty : sql`and k.customer_id = ${customerId}`
  const how = RENEWS[kind] === undefined ? empty : sql`and k.renews = ${RENEWS[kind]}`
  const one = (side: Sql) =>
    read(
      sql`
      select ${TERMS}, ${CUSTOMER}
      from contracts k join customers c on c.account_id = k.account_id and c.id = k.customer_id
      where k.account_id = ${accountId} and ${IS_OPEN} and k.ends_on is null
        ${whose} ${how} and ${side} limit 1`,
      NearestRow,
    )
  const [first, second] = kind === 'follow_up' ? [past, upcoming] : [upcoming, past]
  const [nearest] = await one(first)
  const found = nearest ?? (await one(second))[0]
  if (!found) return undefined
  const { id: contractId, name: customerName, ...contract } = found
  return { contractId, customerName, ...contract, isExample: false }
}

async function exampleFor(read: Read, { accountId, today, kind, customerId }: Wanted): Promise<Shown> {
  return {
    contractId: 1,
    customerName: customerId === undefined ? 'Example Customer' : await nameOf(read, { accountId, customerId }),
    email: null,
    title: 'Web hosting',
    reference: 'C-1001',
    amountCents: centsFromAmount(1200),
    renewalCycle: 'yearly',
    renewalDate: addDays(today, 7),
    renews: RENEWS[kind] ?? 'by_agreement',
    noticePeriod: '3 days',
    nextAmountCents: centsFromAmount(1260),
    nextCycle: null,
    isExample: true,
  }
}

async function nameOf(read: Read, { accountId, customerId }: { accountId: number; customerId: number }) {
  const [customer] = await read(
    sql`select ${CUSTOMER} from customers c where account_id = ${accountId} and id = ${customerId}`,
    CustomerRow,
  )
  if (!customer) throw new AppError('CUSTOMER_NOT_FOUND')
  return customer.name
}
