import sql from 'sql-template-tag'
import { z } from 'zod'
import { isPaying } from '#shared/domain/access.ts'
import { DEFAULT_TEXTS, textHasLink, type ReminderText, type TextKind } from '#shared/domain/reminder-text.ts'
import { AppError } from '#shared/errors.ts'
import type { TextOfKind, TryText, WriteText } from '#shared/schemas/reminder-texts.ts'
import { requireSubscriber, type ReaderContext, type SubscriberContext } from '#server/context.ts'
import { columnsOf } from '#server/db/columns.ts'
import type { Read } from '#server/db/database.ts'
import { letterText } from '#server/mail/letter.ts'
import { letterHtml, sendLetter } from '#server/mail/mailer.ts'
import { readReminderAccount, type ReminderAccount } from '#server/reminders/reminder-account.ts'
import type { ReminderFacts } from '#server/reminders/letters/contract-facts.ts'
import { writeReminder, type WrittenReminder } from '#server/reminders/letters/reminder-letter.ts'
import { ReminderTextEntity } from '#server/reminders/reminder-preferences.entity.ts'
import { previewWording, senderOf, sentBy } from '#server/reminders/letters/reminder-mail.ts'
import { previewContract, type PreviewContract } from './preview-contract.ts'

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
    confirmation: viewOf('confirmation'),
    notice: viewOf('notice'),
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
  contract: PreviewContract
}

async function asWritten({ read, accountId, today, services }: ReaderContext, text: TryText): Promise<Written> {
  const { kind, subject, body, customerId } = text
  const account = await readReminderAccount(read, accountId)
  const contract = await previewContract(read, { accountId, today, kind, customerId })
  const isNotice = kind === 'notice'
  const facts: ReminderFacts = { ...contract, recipient: 'customer', sender: senderOf(account), isNotice }
  const wording = previewWording(account, services)
  const texts = { ...account.texts, [kind]: { subject, body } }
  return { ...writeReminder(facts, { ...wording, texts }), account, contract }
}
