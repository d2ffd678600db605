import type { PolicyDef } from '@mikro-orm/core'
import { POSTED_STATES, WAITING_STATES } from '#shared/domain/reminder-delivery.ts'

export const APP_ROLE = 'traxx_app'
export const SYSTEM_ROLE = 'traxx_system'

/** The row-level security of a tenant table: the app's role sees the account's rows and no others. */
export function tenantPolicy(column = 'account_id'): PolicyDef {
  return { name: 'tenant', roles: [APP_ROLE], using: isOwn(column), check: isOwn(column) }
}

/** The same, without what is in the trash unless the transaction asks for it. */
export function tenantWithTrashPolicy(): PolicyDef {
  const isInSight = `(deleted_at is null or (select current_setting('app.trash', true)) = 'on')`
  return { ...tenantPolicy(), using: `${isOwn('account_id')} and ${isInSight}` }
}

function isOwn(column: string): string {
  return `${column} = (select nullif(current_setting('app.account_id', true), '')::int)`
}

/** What the job that empties the trash may see of all accounts: in which of them something was deleted when. */
export function trashPolicy(): PolicyDef {
  return { name: 'trash', command: 'select', roles: [SYSTEM_ROLE], using: 'deleted_at is not null' }
}

/** What the few modules that work across accounts may access in addition. */
export function systemPolicy(): PolicyDef {
  return { name: 'system', roles: [SYSTEM_ROLE], using: 'true', check: 'true' }
}

/** What the sender of reminders may see of all accounts: whose message is to be sent when. */
export function dueRemindersPolicy(): PolicyDef {
  return { name: 'due', command: 'select', roles: [SYSTEM_ROLE], using: isOneOf(WAITING_STATES) }
}

/** What the mail provider's events need to see of them: whose message it was. */
export function postedRemindersPolicy(): PolicyDef {
  const using = `${isOneOf(POSTED_STATES)} or message_id is not null`
  return { name: 'posted', command: 'select', roles: [SYSTEM_ROLE], using }
}

/** What the job that deletes unused files may see of all accounts: which files exist. */
export function filesPolicy(): PolicyDef {
  return { name: 'files', command: 'select', roles: [SYSTEM_ROLE], using: 'pdf_path is not null' }
}

/** What the job that renews contracts may see of all accounts: in which of them something happens on which day. */
export function actingContractsPolicy(): PolicyDef {
  return {
    name: 'acting',
    command: 'select',
    roles: [SYSTEM_ROLE],
    using: 'acts_on is not null and deleted_at is null',
  }
}

/** The same of accounts whose overdue contracts end. */
export function actingSettingsPolicy(): PolicyDef {
  return { name: 'acting', command: 'select', roles: [SYSTEM_ROLE], using: 'end_overdue_after_days is not null' }
}

/** What the job that changes many contracts may see of all accounts: in which of them a change is running. */
export function runningBulkPolicy(): PolicyDef {
  return { name: 'running', command: 'select', roles: [SYSTEM_ROLE], using: `state in ('running', 'undoing')` }
}

/** Which logos exist, for the job that deletes unused files. */
export function logosPolicy(): PolicyDef {
  return { name: 'files', command: 'select', roles: [SYSTEM_ROLE], using: 'logo_path is not null' }
}

/** What the job that tells owners may see of all accounts: whose messages wait for a company name. */
export function untoldOwnersPolicy(): PolicyDef {
  const using = 'waiting_since is not null and owner_told_at is null'
  return { name: 'untold', command: 'select', roles: [SYSTEM_ROLE], using }
}

/** What the job that emails owners may see of all accounts: in which of them a notice window closes without notice. */
export function warnedNoticesPolicy(): PolicyDef {
  return { name: 'warned', command: 'select', roles: [SYSTEM_ROLE], using: 'owner_email_at is not null' }
}

/** What the deletion of an account has to see, to remember who wants no mail. */
export function closuresPolicy(): PolicyDef {
  return { name: 'closures', command: 'select', roles: [SYSTEM_ROLE], using: 'true' }
}

function isOneOf(states: readonly string[]): string {
  return `state in (${states.map((state) => `'${state}'`).join(', ')})`
}
