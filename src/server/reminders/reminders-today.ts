import sql from 'sql-template-tag'
import type { Day } from '#shared/domain/day.ts'
import { holdsUp } from '#shared/domain/reminder-delivery.ts'
import { readerAt } from '#shared/domain/reminder-plan.ts'
import type { SubscriberContext } from '#server/context.ts'
import { readReminderAccount, type ReminderAccount } from './reminder-account.ts'
import { Candidate, candidateColumns, forecastOf, readersOf, SUBJECT_TABLES } from './reminder-subject.ts'

/** The addresses of a contract's customer to which a reminder goes out today; none while emails to customers wait. */
export function remindedToday(row: Candidate, account: ReminderAccount, today: Day): string[] {
  const { company, isOwnerVerified, isMailStopped } = account
  if (holdsUp({ hasCompanyName: company.name !== null, isOwnerVerified, isMailStopped })) return []
  const readers = readersOf(row, account)
  return forecastOf(row, account, { from: today, through: today })
    .filter(({ verdict, recipient }) => verdict === 'due' && recipient === 'customer')
    .flatMap((line) => readerAt(readers, line)?.email ?? [])
}

/** The same of a contract that has just been changed. */
export async function remindersToday({ write, accountId, today }: SubscriberContext, id: number): Promise<string[]> {
  const account = await readReminderAccount(write, accountId)
  const statement = sql`
    select ${candidateColumns(account)} from ${SUBJECT_TABLES} where k.account_id = ${accountId} and k.id = ${id}`
  const rows = await write(statement, Candidate)
  return rows.flatMap((row) => remindedToday(row, account, today))
}
