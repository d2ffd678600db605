import { buffer } from 'node:stream/consumers'
import sql from 'sql-template-tag'
import { addDays, type Day } from '#shared/domain/day.ts'
import { unprintable } from '#shared/domain/latin-text.ts'
import { withoutDirectionMarks } from '#shared/domain/plain-text.ts'
import { AppError } from '#shared/errors.ts'
import { NOTICE_DAYS } from '#shared/schemas/notice-lists.ts'
import type { ById } from '#shared/schemas/fields.ts'
import type { ReaderContext } from '#server/context.ts'
import { CustomerEntity } from '#server/customers/customer.entity.ts'
import { columnsOf } from '#server/db/columns.ts'
import { dateText } from '#server/mail/formats.ts'
import { partText } from '#server/mail/letter.ts'
import { noticeOnPaper, sentBy } from '#server/reminders/letters/reminder-mail.ts'
import { readReminderAccount, type ReminderAccount } from '#server/reminders/reminder-account.ts'
import { SUBJECT_COLUMNS, SUBJECT_TABLES, SubjectRow } from '#server/reminders/reminder-subject.ts'
import { noticeByLetter } from './due-notice.ts'
import type { Logo, PaperLetter } from './letter-pdf.ts'

export interface LetterFile {
  name: string
  bytes: Uint8Array
}

/**
 * The notice of a contract's current term as a letter, in the words of today, as a PDF; from 90 days before its window opens
 * until that has closed. @throws CONTRACT_NOT_FOUND, NOTICE_NOT_DUE, NOTICE_WINDOW_NOT_COMPUTED, NOTICE_LETTER_DOES_NOT_COUNT, COMPANY_NAME_REQUIRED,
 * NOTICE_NO_POSTAL_ADDRESS, NOTICE_ADDRESS_UNPRINTABLE, NOTICE_ADDRESS_TOO_LONG
 */
export async function getNoticeLetter(ctx: ReaderContext, { id }: ById): Promise<LetterFile> {
  return ctx.limits.during('letters', ctx.accountId, async () => {
    const { days } = await noticeByLetter(ctx, id)
    const why = outOfTime(days, ctx.today)
    if (why) throw new AppError('NOTICE_NOT_DUE', { values: { why } })
    const account = await readReminderAccount(ctx.read, ctx.accountId)
    const { logoPath } = account.company
    const letter = await readLetter(ctx, {
      id,
      account,
      logo: logoPath === null ? null : await readLogo(ctx, logoPath),
    })
    // Loaded with the first letter, because it takes a while.
    const { letterPdf } = await import('./letter-pdf.ts')
    const bytes = await letterPdf(letter)
    if (!bytes) throw new AppError('NOTICE_ADDRESS_TOO_LONG')
    return { name: `traxx-notice-${id}.pdf`, bytes }
  })
}

function outOfTime({ from, through }: { from: Day; through: Day }, today: Day): string | undefined {
  if (today > through) return 'its window has closed'
  return from > addDays(today, NOTICE_DAYS) ? `its window opens in more than ${NOTICE_DAYS} days` : undefined
}

/** Characters that a refusal names. */
const MOST_NAMED = 10

const LetterRow = SubjectRow.extend(columnsOf(CustomerEntity, 'c', ['address']).fields)

async function readLetter(
  ctx: ReaderContext,
  { id, account, logo }: { id: number; account: ReminderAccount; logo: Logo | null },
): Promise<PaperLetter> {
  const row = await readContract(ctx, id)
  const { name, postalAddress } = account.company
  if (name === null) throw new AppError('COMPANY_NAME_REQUIRED')
  if (!row.address?.trim()) throw new AppError('NOTICE_NO_POSTAL_ADDRESS')
  const address = withoutDirectionMarks(row.address)
  const unreadable = unprintable(address)
  if (unreadable.length > 0)
    throw new AppError('NOTICE_ADDRESS_UNPRINTABLE', {
      values: { characters: unreadable.slice(0, MOST_NAMED).join(' ') },
    })
  const { subject, letter } = noticeOnPaper(row, { account, today: ctx.today })
  return {
    sender: { name, address: postalAddress, email: sentBy(account).replyTo ?? null, logo },
    to: { name: withoutDirectionMarks(row.customerName), address },
    date: dateText(ctx.today),
    subject,
    parts: letter.parts,
  }
}

/** What the letter about a contract said on a day, for the ledger; nulls where the account has no company name to write in. */
export async function textOfLetter(
  reading: Pick<ReaderContext, 'read' | 'accountId'>,
  { id, on }: { id: number; on: Day },
): Promise<{ subject: string | null; body: string | null }> {
  const account = await readReminderAccount(reading.read, reading.accountId)
  if (account.company.name === null) return { subject: null, body: null }
  const row = await readContract(reading, id)
  const { subject, letter } = noticeOnPaper(row, { account, today: on })
  const to = [row.customerName, row.address?.trim()].filter(Boolean).join('\n')
  return { subject, body: [to, dateText(on), ...letter.parts.map(partText)].join('\n\n') }
}

async function readContract({ read, accountId }: Pick<ReaderContext, 'read' | 'accountId'>, id: number) {
  const statement = sql`
    select ${SUBJECT_COLUMNS}, c.address from ${SUBJECT_TABLES} where k.account_id = ${accountId} and k.id = ${id}`
  const [row] = await read(statement, LetterRow)
  if (!row) throw new AppError('CONTRACT_NOT_FOUND')
  return row
}

async function readLogo({ services: { files } }: ReaderContext, logoPath: string): Promise<Logo | null> {
  if (!(await files.exists(logoPath))) return null
  const file = await files.open(logoPath)
  return { type: logoPath.endsWith('.png') ? 'png' : 'jpg', bytes: await buffer(await file.read()) }
}
