import { isOpen } from '#shared/domain/contract-status.ts'
import type { Day } from '#shared/domain/day.ts'
import { isManualTooLate } from '#shared/domain/manual-reminder.ts'
import { occasionsOf } from '#shared/domain/reminder-occasions.ts'
import { obstacle, unreachable } from '#shared/domain/reminder-plan.ts'
import type { ReminderReason } from '#shared/schemas/reminders.ts'
import { waitsForCompany } from './company-wait.ts'
import type { DueRow } from './due-rows.ts'
import { waitsForStop } from './mail-stops.service.ts'
import type { ReminderAccount } from './reminder-account.ts'
import { customerOf, subjectOf, type SubjectRow } from './reminder-subject.ts'

/** A contract as it is when a message about it is to be sent. */
export interface ContractNow extends SubjectRow {
  /** The first day whose occasions count. */
  since: Day
}

export interface Now {
  contract: ContractNow | undefined
  account: ReminderAccount
  now: Date
  today: Day
  hasAccess: boolean
}

/** What makes a message late that a limit kept from being sent while there was time: it is the limit that did it. */
const TOO_LATE_BY: readonly ReminderReason[] = ['superseded', 'too_late', 'date_changed', 'closed']

/** What has happened to a message since it was planned, that it must not be sent. */
export function reasonNotTo(row: DueRow, now: Now): ReminderReason | undefined {
  const reason = reasonOf(row, now)
  if (reason === 'too_late' && waitsForStop(row, now.account)) return 'mail_stopped'
  if (!reason || !TOO_LATE_BY.includes(reason)) return reason
  if (row.waitsFor) return 'limited'
  return reason === 'too_late' && waitsForCompany(row, now.account) ? 'no_company' : reason
}

function reasonOf(row: DueRow, moment: Now): ReminderReason | undefined {
  const { contract, account, today, hasAccess } = moment
  if (row.isLeftBehind && row.repeats > 0) return 'unknown'
  if (!contract) return 'contract_deleted'
  if (row.isLeftBehind && hasOtherReader(row, contract)) return 'unknown'
  if (contract.renewalDate !== row.renewalDate) return 'date_changed'
  const { kind, offset, day, recipient, channel } = row
  if (kind === 'manual') return manualReasonNotTo(row, { ...moment, contract })
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

/** Whether the customer has got another address since a message was taken for sending to the one before. */
export function hasOtherReader({ recipient, address }: DueRow, { email }: ContractNow): boolean {
  return recipient === 'customer' && address !== null && address.toLowerCase() !== email?.toLowerCase()
}

/** What has fallen due since takes the place of one by hand. */
function manualReasonNotTo(row: DueRow, { contract, ...moment }: Now & { contract: ContractNow }) {
  if (!isOpen(contract.status)) return 'closed'
  const reason = unreachable(customerOf(contract))
  if (reason) return reason
  if (row.hasNewer) return 'superseded'
  return isManualTooLate({ day: row.day, plannedAt: new Date(row.plannedAt) }, moment) ? 'too_late' : undefined
}
