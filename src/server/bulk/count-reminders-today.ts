import { mailboxOf } from '#shared/domain/mail-limits.ts'
import { mayBeDue } from '#shared/domain/replanning.ts'
import type { ReaderContext } from '#server/context.ts'
import type { DecidedContract } from '#server/contracts/decisions.ts'
import { readReminderAccount } from '#server/reminders/reminder-account.ts'
import { subjectRows, SubjectRow } from '#server/reminders/reminder-subject.ts'
import { remindedToday } from '#server/reminders/reminders-today.ts'

/** Counts the reminders of renewed contracts that would be emailed to customers today, several to one address as one. */
export async function countRemindersToday({
  read,
  accountId,
  today,
}: Pick<ReaderContext, 'read' | 'accountId' | 'today'>) {
  const account = await readReminderAccount(read, accountId)
  const emails = new Set<string>()
  return {
    /** Counts those of contracts as their renewals would leave them. */
    add: async (renewed: readonly DecidedContract[]) => {
      const near = new Map(renewed.flatMap((contract) => (mayBeDue(contract, today) ? [[contract.id, contract]] : [])))
      const rows = near.size > 0 ? await read(subjectRows(accountId, [...near.keys()]), SubjectRow) : []
      for (const row of rows) {
        // A new term begins without messages, and without what the former one had.
        const candidate = {
          ...row,
          ...near.get(row.contractId),
          isMuted: false,
          isAnswered: false,
          since: today,
          history: [],
        }
        for (const to of remindedToday(candidate, account, today)) emails.add(mailboxOf(to))
      }
    },
    counts: () => ({ remindersToday: emails.size }),
  }
}
