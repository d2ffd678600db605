import sql from 'sql-template-tag'
import { addDays, type Day } from '#shared/domain/day.ts'
import { mailboxOf } from '#shared/domain/mail-limits.ts'
import type { ReaderContext } from '#server/context.ts'
import { NOT_DELETED } from '#server/db/trash.ts'
import { confirmationLines } from '#server/reminders/confirmations.ts'
import { readReminderAccount } from '#server/reminders/reminder-account.ts'
import { asReadBy, SUBJECT_COLUMNS, SUBJECT_TABLES, SubjectRow } from '#server/reminders/reminder-subject.ts'

const COMING_DAYS = 30
const NAMED = 5
const READ_AT_ONCE = 1000
/** Going through all contracts would take a minute in an account with 100,000. */
const MOST_PREVIEWED = 5000

/** Whom telling customers of renewals would write to in the coming 30 days, because contracts renew automatically. */
export interface ComingConfirmations {
  /** How many contracts renew automatically, and of how many of them the customer would get an email. */
  contracts: number
  told: number
  /** How many emails: one to each address on each day. */
  emails: number
  /** The first few of the contracts whose customers would be told. */
  first: { contractId: number; customerName: string; day: Day }[]
  /** How many contracts were looked at, if not all. */
  onlyFirst: number | null
}

/** @throws TOO_MANY_AT_ONCE */
export function comingConfirmations(ctx: ReaderContext): Promise<ComingConfirmations> {
  return ctx.limits.during('previews', ctx.accountId, () => confirmationsOf(ctx))
}

async function confirmationsOf(ctx: ReaderContext): Promise<ComingConfirmations> {
  const { read, accountId, today } = ctx
  const account = await readReminderAccount(read, accountId)
  const emails = new Set<string>()
  const coming: ComingConfirmations = { contracts: 0, told: 0, emails: 0, first: [], onlyFirst: null }
  for await (const row of comingRenewals(ctx)) {
    if (coming.contracts >= MOST_PREVIEWED) return { ...coming, emails: emails.size, onlyFirst: coming.contracts }
    coming.contracts += 1
    const { contractId, customerName, renewalDate: day } = row
    const reached = confirmationLines(row, { account, today }).filter(({ obstacle }) => !obstacle)
    if (reached.length === 0) continue
    coming.told += 1
    if (coming.first.length < NAMED) coming.first.push({ contractId, customerName, day })
    for (const line of reached) emails.add(`${day} ${mailboxOf(asReadBy(row, line.contactId).email ?? '')}`)
  }
  return { ...coming, emails: emails.size }
}

/** The contracts that renew automatically, the first one first. */
async function* comingRenewals({ read, accountId, today }: ReaderContext): AsyncGenerator<SubjectRow> {
  for (let after = { day: today, id: 0 }, isLast = false; !isLast;) {
    const statement = sql`
      select ${SUBJECT_COLUMNS} from ${SUBJECT_TABLES}
      where k.account_id = ${accountId} and k.acts_on between ${today} and ${addDays(today, COMING_DAYS)}
        and k.${NOT_DELETED} and k.renews = 'automatic' and k.ends_on is null
        and (k.renewal_date, k.id) > (${after.day}::date, ${after.id}::int)
      order by k.renewal_date, k.id limit ${READ_AT_ONCE}`
    const rows = await read(statement, SubjectRow, 'each time')
    yield* rows
    const last = rows.at(-1)
    if (last) after = { day: last.renewalDate, id: last.contractId }
    isLast = rows.length < READ_AT_ONCE
  }
}
