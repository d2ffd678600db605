import sql from 'sql-template-tag'
import { isOpen } from '#shared/domain/contract-status.ts'
import { dayIn, type Day } from '#shared/domain/day.ts'
import type { OccasionKind } from '#shared/domain/reminder-occasions.ts'
import { obstacle, unreachable, type Line } from '#shared/domain/reminder-plan.ts'
import type { ReminderReason } from '#shared/schemas/reminders.ts'
import type { JobContext } from '#server/context.ts'
import type { Read } from '#server/db/database.ts'
import { LEASE_MS, type Outgoing } from './deliver.ts'
import { giveNotice } from './notices.ts'
import { readReminderAccount, type ReminderAccount } from './reminder-account.ts'
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
    const contract = await readContract(write, accountId, row.contractId)
    const reason = reasonNotTo(row, { contract, account, today })
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
        subject = ${message.subject}, body = ${message.text}, message_id = ${services.mailer.messageIdOf(message.key)}
      where account_id = ${accountId} and id = ${id}`)
    return { id, accountId, message, today, attempts: row.attempts + 1 }
  })
}

async function lockRow(write: Read, { id, accountId }: Due, now: Date): Promise<ClaimRow | undefined> {
  const [row] = await write<ClaimRow>(sql`
    select contract_id as "contractId", renewal_date as "renewalDate", kind, offset_days as "offset", due_on as day,
      recipient, channel, state = 'sending' as "isLeftBehind", repeats, attempts
    from reminders where account_id = ${accountId} and id = ${id} and state in ('planned', 'sending')
      and next_attempt_at <= ${now}
    for update skip locked`)
  return row
}

async function readContract(write: Read, accountId: number, contractId: number | null) {
  const [row] = await write<SubjectRow>(sql`
    select ${SUBJECT_COLUMNS} from ${SUBJECT_TABLES} where k.account_id = ${accountId} and k.id = ${contractId}`)
  return row
}

interface Now {
  contract: SubjectRow | undefined
  account: ReminderAccount
  today: Day
}

/** What has happened to a message since it was planned, that it must not be sent. */
function reasonNotTo(row: ClaimRow, { contract, account, today }: Now): ReminderReason | undefined {
  if (row.isLeftBehind && row.repeats > 0) return 'unknown'
  if (!contract) return 'contract_deleted'
  if (contract.renewalDate !== row.renewalDate) return 'date_changed'
  const { kind, offset, day, recipient, channel } = row
  if (kind === 'manual') return isOpen(contract.status) ? unreachable(customerOf(contract)) : 'closed'
  const reason = obstacle(subjectOf(contract, account), { kind, offset, day, recipient, channel }, today)
  return reason === 'decided' ? undefined : reason
}

/** For good. Of one that may have been sent nobody can say that it was skipped. */
async function settle(
  write: Read,
  { id, accountId }: Due,
  { row, reason, now }: { row: ClaimRow; reason: ReminderReason; now: Date },
): Promise<void> {
  const ended = row.isLeftBehind ? { state: 'failed', reason: 'unknown' } : { state: 'skipped', reason }
  await write(sql`
    update reminders set state = ${ended.state}, reason = ${ended.reason}, ended_at = ${now}, next_attempt_at = null
    where account_id = ${accountId} and id = ${id}`)
}
