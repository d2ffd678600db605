import sql from 'sql-template-tag'
import { z } from 'zod'
import { mailboxOf } from '#shared/domain/mail-limits.ts'
import { renewalDatesWithOccasions } from '#shared/domain/reminder-occasions.ts'
import type { ReaderContext } from '#server/context.ts'
import type { DecidedContract } from '#server/contracts/decisions.ts'
import { ContractEntity } from '#server/contracts/contract.entity.ts'
import { columnsOf } from '#server/db/columns.ts'
import { getMailLimits } from '#server/deliverability/mail-limits.service.ts'
import { chunksOf } from '#server/limits/in-parallel.ts'
import { toldOfNextTerm } from '#server/ledger/confirmations.ts'
import { CHOSEN_RULE, ChosenRule, RuleRow } from '#server/notice-rules/chosen-rule.ts'
import { chosenRules } from '#server/notice-rules/noticed-contracts.ts'
import { confirmationLines } from '#server/reminders/confirmations.ts'
import { emailedToday, isHeldUp } from '#server/reminders/emailed-today.ts'
import { readReminderAccount } from '#server/reminders/reminder-account.ts'
import { asReadBy, COUNTS, SUBJECT_COLUMNS, SUBJECT_TABLES, SubjectRow } from '#server/reminders/reminder-subject.ts'
import { MOST_IN_A_MAIL } from '#server/reminders/sending/due-reminders.ts'

/** So few that other requests do not wait long for what is done with them. */
const READ_AT_ONCE = 250

const MUTED = columnsOf(ContractEntity, 'k', ['mutedRenewalDate'])
const RenewableRow = SubjectRow.extend({
  ...MUTED.fields,
  chosen: ChosenRule.nullable(),
  /** Its customer was emailed about the next term, by a renewal that was undone. */
  wasEmailed: z.boolean(),
})
type RenewableRow = z.output<typeof RenewableRow>

/**
 * Counts the emails to customers that renewals bring: those that tell of them, if `isTold`, several to one address as one,
 * and those about the new renewal dates that go out today.
 */
export async function countMail(ctx: ReaderContext, isTold: boolean) {
  const { read, accountId, today } = ctx
  const account = await readReminderAccount(read, accountId)
  const { limit, sentToday } = await getMailLimits(ctx)
  const hasRules = (await read(chosenRules(accountId), RuleRow)).length > 0
  const near = new Set(renewalDatesWithOccasions({ from: today, through: today }))
  const [told, customers, messages] = [new Set<string>(), new Set<number>(), new Map<string, number>()]

  /** The contacts that are told of the renewal. */
  const tell = (row: RenewableRow, known: readonly number[]) => {
    const lines = confirmationLines(row, { account, today }).filter(
      ({ contactId, obstacle }) => !obstacle && !known.includes(contactId),
    )
    for (const { contactId } of lines) told.add(mailboxOf(asReadBy(row, contactId).email ?? ''))
    if (lines.length > 0) customers.add(row.customerId)
    return lines.map(({ contactId }) => contactId)
  }
  const remind = (row: RenewableRow, renewed: DecidedContract, toldIds: readonly number[]) => {
    if (row.wasEmailed) return
    const isMuted = row.mutedRenewalDate === renewed.renewalDate
    const after = { ...row, ...renewed, isMuted, isAnswered: false, since: today, history: [] }
    for (const { contactId, email, isNotice } of emailedToday(after, account, today)) {
      // Whoever is told of the renewal gets nothing else about the contract on that day.
      if (toldIds.includes(contactId)) continue
      const key = isNotice ? `notice ${row.contractId} ${contactId}` : email.toLowerCase()
      messages.set(key, (messages.get(key) ?? 0) + 1)
    }
  }
  const isEmailed = ({ renewalDate }: DecidedContract) =>
    isTold || (!isHeldUp(account) && (hasRules || near.has(renewalDate)))
  return {
    /** Counts the emails about contracts as their renewals would leave them. */
    add: async (renewed: readonly DecidedContract[]) => {
      const asked = new Map(renewed.filter(isEmailed).map((contract) => [contract.id, contract]))
      for (const ids of chunksOf([...asked.keys()], READ_AT_ONCE)) {
        const rows = await read(renewable(accountId, ids), RenewableRow)
        const known = isTold ? await toldOfNextTerm(read, accountId, ids) : new Map<number, number[]>()
        for (const row of rows) {
          const contract = asked.get(row.contractId)
          if (contract) remind(row, contract, isTold ? tell(row, known.get(row.contractId) ?? []) : [])
        }
      }
    },
    counts: () => {
      const counts = [...messages.values()].map((count) => Math.ceil(count / MOST_IN_A_MAIL))
      const emailsToday = counts.reduce((sum, count) => sum + count, 0)
      const waiting = Math.max(0, told.size + emailsToday - Math.max(0, limit - sentToday))
      return { ...(isTold && { emails: told.size, customers: customers.size }), emailsToday, waiting }
    },
  }
}

/** Reads RenewableRows. */
function renewable(accountId: number, ids: readonly number[]) {
  return sql`
    select ${SUBJECT_COLUMNS}, ${MUTED}, ${CHOSEN_RULE} as chosen, exists (
      select from reminders r where r.account_id = k.account_id and r.contract_id = k.id
        and r.term_number = k.term_number + 1 and r.recipient = 'customer' and ${COUNTS}) as "wasEmailed"
    from ${SUBJECT_TABLES} where k.account_id = ${accountId} and k.id = any(${[...ids]}::int[]) order by k.id`
}
