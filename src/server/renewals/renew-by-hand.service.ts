import sql from 'sql-template-tag'
import type { z } from 'zod'
import { UNDO_MS } from '#shared/domain/manual-reminder.ts'
import { holdsUp } from '#shared/domain/reminder-delivery.ts'
import { AppError } from '#shared/errors.ts'
import { REMINDER_REASONS } from '#shared/schemas/reminders.ts'
import type { RenewContract } from '#shared/schemas/renewals.ts'
import type { ReaderContext, SubscriberContext } from '#server/context.ts'
import { ContractEntity } from '#server/contracts/contract.entity.ts'
import type { ContractView } from '#server/contracts/contract.view.ts'
import { lockedRenewalSettings } from '#server/contracts/renewal-settings.service.ts'
import { renewContract, renewedAsAsked, type DecidedView } from '#server/contracts/renewals.service.ts'
import { columnsOf } from '#server/db/columns.ts'
import { getMailLimits } from '#server/deliverability/mail-limits.service.ts'
import { toldOfNextTerm } from '#server/ledger/confirmations.ts'
import { letterText } from '#server/mail/letter.ts'
import { letterHtml } from '#server/mail/mailer.ts'
import { confirmationLines, planConfirmations, renewedTerm } from '#server/reminders/confirmations.ts'
import { writeReminder } from '#server/reminders/letters/reminder-letter.ts'
import { factsOf, previewWording } from '#server/reminders/letters/reminder-mail.ts'
import { readReminderAccount, type ReminderAccount } from '#server/reminders/reminder-account.ts'
import { readEmailsToday } from '#server/reminders/coming-emails.ts'
import { SUBJECT_COLUMNS, SUBJECT_TABLES, SubjectRow } from '#server/reminders/reminder-subject.ts'
import { readersView, type ReaderView } from '#server/reminders/reminder.view.ts'

export interface RenewedView extends DecidedView {
  /** The email that tells the customer, unless it is undone before; null if none goes out. */
  confirmation: { to: string[]; goesOutAt: Date } | null
  /** The addresses to which a reminder or notice about the new renewal date goes out today, unless the renewal is undone before. */
  emailsToday: string[]
}

/**
 * Renews a contract, and has its customer told by email if the request or else the account's settings say so: in ten
 * seconds, until when undoing the renewal withdraws the email.
 * @throws what `renewContract` throws
 */
export async function renewByHand(ctx: SubscriberContext, { confirm, ...input }: RenewContract): Promise<RenewedView> {
  const isConfirmed = confirm ?? (await lockedRenewalSettings(ctx)).confirmRenewals
  const contract = await renewContract(ctx, input)
  const confirmation = isConfirmed ? await confirmationOf(ctx, contract) : null
  return { ...contract, confirmation, emailsToday: await readEmailsToday(ctx, contract.id) }
}

async function confirmationOf({ write, accountId, today, services }: SubscriberContext, { id }: ContractView) {
  const now = services.now()
  const account = await readReminderAccount(write, accountId)
  const goesOutAt = new Date(now.getTime() + UNDO_MS)
  const to = await planConfirmations(write, [id], { account, now, today, at: goesOutAt })
  return to.length > 0 ? { to, goesOutAt } : null
}

/** The email that would tell a contract's customer of a renewal. */
export interface ConfirmationPreview {
  customerName: string
  /** The customer's contacts, and why some of them are not told. */
  readers: ReaderView[]
  /** What the email would wait for: the company name, the owner's verified address, the end of a stop, or another day. */
  waitsFor: 'company' | 'owner' | 'stop' | 'limit' | null
  subject: string
  text: string
  html: string
}

/** @throws what `renewContract` throws, TOO_MANY_AT_ONCE */
export function previewRenewal(ctx: ReaderContext, input: RenewContract): Promise<ConfirmationPreview> {
  return ctx.limits.during('previews', ctx.accountId, () => previewOf(ctx, input))
}

const TERM = columnsOf(ContractEntity, 'k', ['startDate', 'termStart', 'anchorDate', 'heldRenewalDate'])
const RenewableRow = SubjectRow.extend(TERM.fields)
type RenewableRow = z.output<typeof RenewableRow>

async function previewOf(ctx: ReaderContext, { id, ...request }: RenewContract): Promise<ConfirmationPreview> {
  const { read, accountId, today, services } = ctx
  const account = await readReminderAccount(read, accountId)
  const statement = sql`
    select ${SUBJECT_COLUMNS}, ${TERM} from ${SUBJECT_TABLES} where k.account_id = ${accountId} and k.id = ${id}`
  const [row] = await read(statement, RenewableRow)
  if (!row) throw new AppError('CONTRACT_NOT_FOUND')
  const { contract } = renewedAsAsked(row, request, today)
  const renewed = renewedTerm({ ...contract, before: row })
  const facts = factsOf({ ...contract, renewed }, { recipient: 'customer', account, today })
  const { subject, letter } = writeReminder(facts, previewWording(account, services))
  return {
    customerName: row.customerName,
    readers: await readersOfConfirmation(ctx, row, account),
    waitsFor: await waitOf(ctx, account),
    subject,
    text: letterText(letter),
    html: await letterHtml(subject, letter),
  }
}

const ALREADY_TOLD = 'They have already been told of this term'

async function readersOfConfirmation(
  { read, accountId, today }: ReaderContext,
  row: RenewableRow,
  account: ReminderAccount,
) {
  const { contractId } = row
  const told = (await toldOfNextTerm(read, accountId, [contractId])).get(contractId) ?? []
  const lines = confirmationLines(row, { account, today })
  const words = lines.map(({ contactId, obstacle }) => {
    if (told.includes(contactId)) return { contactId, obstacle: ALREADY_TOLD }
    return { contactId, obstacle: obstacle ? REMINDER_REASONS[obstacle] : null }
  })
  return readersView(row, words)
}

async function waitOf(ctx: ReaderContext, account: ReminderAccount): Promise<ConfirmationPreview['waitsFor']> {
  const { company, isOwnerVerified, isMailStopped } = account
  const cause = holdsUp({ hasCompanyName: company.name !== null, isOwnerVerified, isMailStopped })
  if (cause) return cause
  const { sentToday, limit } = await getMailLimits(ctx)
  return sentToday >= limit ? 'limit' : null
}
