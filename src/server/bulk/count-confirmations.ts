import { mailboxOf } from '#shared/domain/mail-limits.ts'
import type { ReaderContext } from '#server/context.ts'
import type { DecidedContract } from '#server/contracts/decisions.ts'
import { getMailLimits } from '#server/deliverability/mail-limits.service.ts'
import { toldOfNextTerm } from '#server/ledger/confirmations.ts'
import { confirmationLines } from '#server/reminders/confirmations.ts'
import { readReminderAccount } from '#server/reminders/reminder-account.ts'
import { asReadBy, subjectRows, SubjectRow } from '#server/reminders/reminder-subject.ts'

/** Counts the emails that would tell customers of renewals, several to one address as one. */
export async function countConfirmations(ctx: ReaderContext) {
  const { read, accountId, today } = ctx
  const account = await readReminderAccount(read, accountId)
  const { limit, sentToday } = await getMailLimits(ctx)
  const [emails, customers] = [new Set<string>(), new Set<number>()]
  return {
    add: async (renewed: readonly Pick<DecidedContract, 'id'>[]) => {
      const ids = renewed.map(({ id }) => id)
      const rows = await read(subjectRows(accountId, ids), SubjectRow)
      const told = await toldOfNextTerm(read, accountId, ids)
      for (const row of rows) {
        const known = told.get(row.contractId) ?? []
        const lines = confirmationLines(row, { account, today }).filter(
          ({ contactId, obstacle }) => !obstacle && !known.includes(contactId),
        )
        for (const { contactId } of lines) emails.add(mailboxOf(asReadBy(row, contactId).email ?? ''))
        if (lines.length > 0) customers.add(row.customerId)
      }
    },
    counts: () => ({
      emails: emails.size,
      customers: customers.size,
      waiting: Math.max(0, emails.size - Math.max(0, limit - sentToday)),
    }),
  }
}
