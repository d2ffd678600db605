import sql, { type Sql } from 'sql-template-tag'
import { isOpen } from '#shared/domain/contract-status.ts'
import { dayIn, type Day } from '#shared/domain/day.ts'
import { occasionsOf, type OccasionKind } from '#shared/domain/reminder-occasions.ts'
import { obstacle, unreachable, type Line } from '#shared/domain/reminder-plan.ts'
import type { ReminderReason } from '#shared/schemas/reminders.ts'
import type { JobContext } from '#server/context.ts'
import type { Read } from '#server/db/database.ts'
import { letterText } from '#server/mail/letter.ts'
import { LEASE_MS, type Outgoing } from './deliver.ts'
import { giveNotice, noticeOfFailure } from './notices.ts'
import { hasFullAccess, readReminderAccount, type ReminderAccount } from './reminder-account.ts'
import {
  customerOf,
  mailAbout,
  SUBJECT_COLUMNS,
  SUBJECT_TABLES,
  subjectOf,
  type SubjectRow,
} from './reminder-subject.ts'

/** A row that is to be sent. */
export interface Due {
  id: number
  accountId: number
}

export interface Claimed extends Outgoing {
  attempts: number
}

interface ClaimRow extends Line {
  contractId: number | null
  renewalDate: Day
  kind: OccasionKind | 'manual'
  offset: number
  day: Day
  /** Somebody was sending it, and did not say how it went. */
  isLeftBehind: boolean
  /** A newer message to the same reader is due, or was sent. */
  hasNewer: boolean
  repeats: number
  attempts: number
}

/**
 * Takes a message for sending, so that nobody else does: its row says so before the mail server hears of it. What is
 * not wanted any more is skipped. 'settled' where it needs no sending, undefined where somebody else has it.
 */
export function claim(
  { db, services }: Pick<JobContext, 'db' | 'services'>,
  { id, accountId }: Due,
): Promise<Claimed | 'settled' | undefined> {
  return db.writeAs(accountId, async (_em, write) => {
    const now = services.now()
    const row = await lockRow(write, { id, accountId }, now)
    if (!row) return undefined
    const account = await readReminderAccount(write, accountId)
    const today = dayIn(now, account.timeZone)
    const contract = await readContract(write, row.contractId, account)
    const hasAccess = hasFullAccess(account, services.billingNow())
    const reason = reasonNotTo(row, { contract, account, today, hasAccess })
    if (reason || !contract) {
      await settle(write, { id, accountId }, { row, reason: reason ?? 'contract_deleted', now })
      return 'settled'
    }
    if (row.channel === 'in_app') {
      await giveNotice(write, { id, decision: row, row: contract }, { account, now, today })
      return 'settled'
    }
    const message = mailAbout(contract, {
      id,
      recipient: row.recipient,
      account,
      today,
      publicUrl: services.publicUrl,
    })
    await write(sql`
      update reminders set state = 'sending', sending_at = ${now}, next_attempt_at = ${new Date(now.getTime() + LEASE_MS)},
        attempts = attempts + 1, repeats = repeats + ${Number(row.isLeftBehind)}, address = ${message.to},
        subject = ${message.subject}, body = ${letterText(message.letter)}, message_id = ${services.mailer.messageIdOf(message.key)}
      where account_id = ${accountId} and id = ${id}`)
    return { id, accountId, message, today, sendingAt: now, attempts: row.attempts + 1 }
  })
}

/** No lease is as long as two hours, nor a wait for another try: one that seems to be is of a clock that was ahead. */
function isTime(now: Date): Sql {
  return sql`(r.next_attempt_at <= ${now}
    or r.state = 'sending' and r.next_attempt_at > ${now}::timestamptz + interval '2 hours')`
}

async function lockRow(write: Read, { id, accountId }: Due, now: Date): Promise<ClaimRow | undefined> {
  const [row] = await write<ClaimRow>(sql`
    select r.contract_id as "contractId", r.renewal_date as "renewalDate", r.kind, r.offset_days as "offset",
      r.due_on as day, r.recipient, r.channel, r.state = 'sending' as "isLeftBehind", r.repeats, r.attempts,
      exists (select from reminders n where n.account_id = r.account_id and n.contract_id = r.contract_id
        and n.renewal_date = r.renewal_date and n.recipient = r.recipient and n.channel = r.channel
        and n.due_on > r.due_on and (n.sent_at is not null or n.next_attempt_at <= ${now})) as "hasNewer"
    from reminders r where r.account_id = ${accountId} and r.id = ${id} and r.state in ('planned', 'sending')
      and ${isTime(now)}
    for update of r skip locked`)
  return row
}

interface ContractNow extends SubjectRow {
  /** The first day whose occasions count. */
  since: Day
}

async function readContract(write: Read, contractId: number | null, { id, timeZone }: ReminderAccount) {
  const [row] = await write<ContractNow>(sql`
    select ${SUBJECT_COLUMNS}, (k.reminders_since at time zone ${timeZone})::date as since
    from ${SUBJECT_TABLES} where k.account_id = ${id} and k.id = ${contractId}`)
  return row
}

interface Now {
  contract: ContractNow | undefined
  account: ReminderAccount
  today: Day
  hasAccess: boolean
}

/** What has happened to a message since it was planned, that it must not be sent. */
function reasonNotTo(row: ClaimRow, { contract, account, today, hasAccess }: Now): ReminderReason | undefined {
  if (row.isLeftBehind && row.repeats > 0) return 'unknown'
  if (!contract) return 'contract_deleted'
  if (contract.renewalDate !== row.renewalDate) return 'date_changed'
  const { kind, offset, day, recipient, channel } = row
  if (kind === 'manual') return isOpen(contract.status) ? unreachable(customerOf(contract)) : 'closed'
  if (!hasAccess) return 'no_access'
  const subject = subjectOf(contract, account)
  const reason = obstacle(subject, { kind, offset, day, recipient, channel }, today)
  if (reason && reason !== 'decided') return reason
  // What was missed meanwhile is planned at the day's hour, and two on one day would be a burst.
  const isMissed = occasionsOf(contract.renewalDate, subject.preferences).some(
    (later) => later.day > day && later.day >= contract.since && later.day <= today,
  )
  return row.hasNewer || isMissed ? 'superseded' : undefined
}

/** For good. Of one that may have been sent nobody can say that it was skipped. */
async function settle(
  write: Read,
  { id, accountId }: Due,
  { row, reason, now }: { row: ClaimRow; reason: ReminderReason; now: Date },
): Promise<void> {
  const ended = row.isLeftBehind ? { state: 'failed', reason: 'unknown' } : { state: 'skipped', reason }
  const settled = sql`
    update reminders set state = ${ended.state}, reason = ${ended.reason}, ended_at = ${now}, next_attempt_at = null
    where account_id = ${accountId} and id = ${id}`
  await write(row.isLeftBehind ? noticeOfFailure(settled, 'unknown', now) : settled)
}
