import sql from 'sql-template-tag'
import type { z } from 'zod'
import type { Day } from '#shared/domain/day.ts'
import { triedAgainAt } from '#shared/domain/mail-limits.ts'
import type { Delivery } from '#shared/domain/reminder-delivery.ts'
import { instantOf } from '#shared/domain/reminder-hour.ts'
import { withoutDirectionMarks } from '#shared/domain/plain-text.ts'
import { HELD_UP_MS } from '#shared/domain/reminder-waits.ts'
import type { ReminderReason } from '#shared/schemas/reminders.ts'
import type { Write } from '#server/db/database.ts'
import { notify } from '#server/notifications/notify.ts'
import { written, type NewNotification } from '#server/notifications/texts.ts'
import type { DueReminder } from './due-reminders.ts'
import { end, markShown, postpone } from '#server/ledger/ledger.ts'
import { noticeOf, noticesOfEnd, type Planning } from '#server/reminders/notices.ts'
import type { AnswerToTell } from '#server/reminders/letters/answer-letter.ts'
import { ChosenRule } from '#server/notice-rules/chosen-rule.ts'
import { RENEWAL_FIELDS } from '#server/reminders/confirmations.ts'
import { SubjectRow } from '#server/reminders/reminder-subject.ts'

/** A message that is due, and what was decided about it. */
export interface Decided {
  row: DueReminder
  /** Undefined if it was deleted. */
  contract: ContractNow | undefined
  delivery: Delivery
  /** The customer's answer that it tells of, if it tells of one. */
  told?: AnswerToTell | undefined
}

/** A contract as it is when a message about it is due. */
export const ContractNow = SubjectRow.extend({
  ...RENEWAL_FIELDS,
  /** The first day whose occasions count. */
  since: SubjectRow.shape.renewalDate,
  /** The rule about notices that applies; null if none does, no notice is due, or a letter stands for it. */
  chosen: ChosenRule.nullable(),
})
export type ContractNow = z.output<typeof ContractNow>

type Cause = Exclude<Extract<Delivery, { outcome: 'wait' }>['for'], 'day'>

/** Carries out the decisions about messages that are due, except those sent by email. */
export async function settle(write: Write, decided: readonly Decided[], planning: Planning): Promise<void> {
  const ended = new Map<ReminderReason, number[]>()
  const waiting = new Map<Cause, number[]>()
  const early = new Map<Day, number[]>()
  for (const { row, contract, delivery } of decided) {
    if (delivery.outcome === 'show' && contract) await show(write, { row, contract }, planning)
    if (delivery.outcome === 'skip') addTo(ended, delivery.reason, row.id)
    if (delivery.outcome === 'give_up') addTo(ended, 'unknown', row.id)
    if (delivery.outcome !== 'wait') continue
    if (delivery.for === 'day') addTo(early, row.day, row.id)
    else addTo(waiting, delivery.for, row.id)
  }
  for (const [reason, ids] of ended) await endAll(write, ids, { ...planning, reason })
  await notify(write, { accountId: planning.account.id, now: planning.now }, ...decided.flatMap(skippedAnswerEmail))
  for (const [cause, ids] of waiting) await postponeAll(write, ids, { ...planning, cause })
  const { id: accountId, settings, timeZone } = planning.account
  for (const [day, ids] of early)
    await postpone(write, { accountId, ids }, { until: instantOf(day, settings.hour, timeZone) })
}

/** What the owner is told of an email about an answer that the customer does not get. */
function skippedAnswerEmail({ row, contract, delivery, told }: Decided): NewNotification[] {
  if (delivery.outcome !== 'skip' || row.recipient !== 'customer' || !contract || !told) return []
  const { kind: about, answer } = told
  const { customerName, address } = answer
  const { contractId } = contract
  const facts = { about, contractId, customerName: withoutDirectionMarks(customerName), address }
  return [{ kind: 'answer_email_skipped', ...facts, reason: delivery.reason }]
}

function addTo<Key>(groups: Map<Key, number[]>, key: Key, id: number): void {
  groups.set(key, [...(groups.get(key) ?? []), id])
}

/** Notifies the owner and marks the message as sent in the same transaction. */
async function show(write: Write, { row, contract }: { row: DueReminder; contract: ContractNow }, planning: Planning) {
  const { account, now, today } = planning
  const notice = noticeOf(contract, row, planning)
  await notify(write, { accountId: account.id, now }, notice)
  await markShown(write, { accountId: account.id, now, today, id: row.id }, written(notice))
}

async function endAll(write: Write, ids: number[], { account, now, reason }: Planning & { reason: ReminderReason }) {
  const to = { accountId: account.id, now }
  const state = reason === 'unknown' ? 'failed' : 'skipped'
  const ended = await end(write, { accountId: account.id, ids }, { state, reason, now })
  await notify(write, to, ...noticesOfEnd(ended))
}

async function postponeAll(write: Write, ids: number[], { account, now, cause }: Planning & { cause: Cause }) {
  const batch = { accountId: account.id, ids }
  if (cause === 'company' || cause === 'owner' || cause === 'stop') {
    await postpone(write, batch, { until: new Date(now.getTime() + HELD_UP_MS) })
    if (cause === 'company') await tellOfWait(write, account.id, now)
    return
  }
  const until = triedAgainAt(now, { hour: account.settings.hour, timeZone: account.timeZone })
  await postpone(write, batch, { until, limit: cause })
}

/** Tells the owner of the first message that waits for the company's name. */
async function tellOfWait(write: Write, accountId: number, now: Date): Promise<void> {
  const [isFirst] = await write(sql`
    insert into companies (account_id, waiting_since)
    select ${accountId}, ${now} where not exists (
      select from companies where account_id = ${accountId} and waiting_since is not null)
    on conflict (account_id) do update set waiting_since = excluded.waiting_since
      where companies.waiting_since is null
    returning account_id`)
  if (isFirst) await notify(write, { accountId, now }, { kind: 'waiting_for_company' })
}
