import sql from 'sql-template-tag'
import { mailboxOf, type MailLimit } from '#shared/domain/mail-limits.ts'
import { reminderResult, type ReasonLeftOut } from '#shared/domain/bulk-change.ts'
import { UNDO_MS } from '#shared/domain/manual-reminder.ts'
import { amountFromSum } from '#shared/domain/money.ts'
import type { Selection } from '#shared/schemas/bulk.ts'
import type { ReaderContext } from '#server/context.ts'
import { contractsOf } from '#server/contracts/contract.rows.ts'
import { getMailLimits, limitsFor } from '#server/deliverability/mail-limits.service.ts'
import { planManyByHand } from '#server/ledger/requests.ts'
import { lockSchedule } from '#server/ledger/schedule.ts'
import {
  manualMessage,
  manualRows,
  ManualRow,
  obstacleTo,
  reachedLines,
  waitingByHand,
} from '#server/reminders/manual-subject.ts'
import { readReminderAccount, type ReminderAccount } from '#server/reminders/reminder-account.ts'
import { asReadBy } from '#server/reminders/reminder-subject.ts'
import { noted, type Row, type Run } from './bulk-run.ts'
import { selectedContracts } from './selection.ts'

const READ_AT_ONCE = 2000

/** What sending reminders would do: several to one address are one email. The limit of an address is looked at when they are sent. */
export async function previewReminders(ctx: ReaderContext, contracts: Selection) {
  const { read, accountId, today } = ctx
  const account = await readReminderAccount(read, accountId)
  const { limit, sentToday } = await getMailLimits(ctx)
  const selected = selectedContracts(accountId, contracts, today)
  const left = new Map<ReasonLeftOut, number>()
  const reached = new Set((await waitingByHand(read, accountId)).map(mailboxOf))
  const emails = new Set<string>()
  const customers = new Set<number>()
  const sums = { count: 0, cents: 0n }
  for (let after = 0; ;) {
    const statement = sql`${manualRows({ accountId, today })} and k.id in (
      select k.id ${selected} and k.id > ${after} order by k.id limit ${READ_AT_ONCE}) order by k.id`
    const rows = await read(statement, ManualRow)
    for (const row of rows) {
      const mailboxes = mailboxesOf(row, account)
      const added = mailboxes.filter((mailbox) => !reached.has(mailbox))
      const isOver = added.length > 0 && sentToday + reached.size + added.length > limit
      const reason = reminderResult(obstacleTo(row, { account, today }), isOver ? 'account_limit' : null)
      if (reason) left.set(reason, (left.get(reason) ?? 0) + 1)
      else {
        for (const mailbox of added) reached.add(mailbox)
        for (const mailbox of mailboxes) emails.add(mailbox)
        customers.add(row.customerId)
        sums.count += 1
        sums.cents += BigInt(row.amountCents)
      }
    }
    const last = rows.at(-1)
    if (!last || rows.length < READ_AT_ONCE) break
    after = last.contractId
  }
  const amount = amountFromSum(sums.cents)
  const leftOut = [...left].map(([reason, count]) => ({ reason, count }))
  return { count: sums.count, amountBefore: amount, amount, leftOut, emails: emails.size, customers: customers.size }
}

/**
 * Plans a reminder about each contract in the transaction that notes it, so that a crash neither loses nor repeats one. They
 * go out after ten seconds, as other reminders by hand do, by when the next contracts of the same customers are planned too.
 */
export async function remindCustomers(run: Run, rows: readonly Row[]): Promise<void> {
  const { write, accountId, today, now, id } = run
  await lockSchedule(write, accountId)
  const account = await readReminderAccount(write, accountId)
  const found = await readManual(run, rows)
  const limits = await limitsOf(run, [...found.values()], account)
  const left: { contractId: number; reason: ReasonLeftOut }[] = []
  const reminded = rows.flatMap(({ contractId }) => {
    const row = found.get(contractId)
    const limit = row && mailboxesOf(row, account).flatMap((mailbox) => limits.get(mailbox) ?? [])[0]
    const reason = row ? reminderResult(obstacleTo(row, { account, today }), limit ?? null) : 'gone'
    if (row && !reason) return [row]
    left.push({ contractId, reason: reason ?? 'gone' })
    return []
  })
  const messages = reminded.flatMap((row) => reachedLines(row, account).map((line) => manualMessage(row, line, today)))
  const planned = await planManyByHand(write, messages, { accountId, now, at: new Date(now.getTime() + UNDO_MS) })
  const missed = reminded.filter(({ contractId }) => !planned.has(contractId))
  left.push(...missed.map(({ contractId }) => ({ contractId, reason: 'sent_today' as const })))
  await write(noted(run, 'left_out', left))
  await write(sql`
    update bulk_contracts set state = 'changed'
    where account_id = ${accountId} and bulk_id = ${id} and contract_id = any(${[...planned]}::int[])`)
}

async function readManual({ write, accountId, today }: Run, rows: readonly Row[]): Promise<Map<number, ManualRow>> {
  const ids = rows.map(({ contractId }) => contractId)
  const statement = sql`${manualRows({ accountId, today })} and k.id in (
    select k.id ${contractsOf(accountId)} and k.id = any(${ids}::int[]))`
  return new Map((await write(statement, ManualRow)).map((row) => [row.contractId, row]))
}

/** The addresses over a limit. An address to which a reminder by hand is waiting gets these in the same email. */
async function limitsOf({ write, accountId, services, now, today }: Run, rows: ManualRow[], account: ReminderAccount) {
  const waiting = new Set((await waitingByHand(write, accountId)).map(mailboxOf))
  const sendable = rows.filter((row) => !obstacleTo(row, { account, today }))
  const addresses = new Set(sendable.flatMap((row) => mailboxesOf(row, account)))
  const added = [...addresses].filter((mailbox) => !waiting.has(mailbox))
  const counting = { account, now, billingNow: services.billingNow(), limits: services.mailLimits }
  const refused = await limitsFor(write, { addresses: added, waiting: [...waiting] }, counting)
  return new Map<string, MailLimit | null>(added.map((mailbox, index) => [mailbox, refused[index] ?? null]))
}

function mailboxesOf(row: ManualRow, account: ReminderAccount): string[] {
  const lines = reachedLines(row, account)
  return lines.flatMap(({ contactId }) => asReadBy(row, contactId).email ?? []).map(mailboxOf)
}
