import type { FastifyBaseLogger, FastifyRequest } from 'fastify'
import type { MailLimit } from '#shared/domain/mail-limits.ts'
import type { ReportReason } from '#shared/schemas/reports.ts'
import type { Actor } from '#server/db/actor.ts'
import { shortAddress } from '#server/limits/address-key.ts'
import { countedBy } from '#server/limits/allowances.ts'
import type { Met } from '#server/limits/limits.ts'

/** Event names in the security log, which do not change; docs/security.md explains each. */
export type SecurityEvent =
  | 'credentials.refused'
  | 'scope.refused'
  | 'reverification.refused'
  | 'webhook.refused'
  | 'limit.met'
  | 'quota.refused'
  | 'key.created'
  | 'key.revoked'
  | 'sessions.ended'
  | 'data.exported'
  | 'settings.changed'
  | 'customer.deleted'
  | 'contract.deleted'
  | 'contracts.deleted'
  | 'customer.purged'
  | 'contract.purged'
  | 'pdf.deleted'
  | 'import.undone'
  | 'account.deleted'
  | 'message.reported'
  | 'mail.stopped'
  | 'mail.resumed'
  | 'account.suspended'
  | 'account.resumed'
  | 'payment.refunded'

/** Ids and words of our own: nothing that somebody typed, and nothing that opens anything. */
export interface SecurityDetails {
  /** Of the customer, the contract, the change of many contracts, the import or the API key. */
  id?: number | undefined
  /** Which kind of credentials, settings, export or webhook. */
  what?:
    | 'token'
    | 'key'
    | 'expired key'
    | 'operator token'
    | 'metrics token'
    | 'company'
    | 'logo'
    | 'reply-to'
    | 'reminders'
    | 'renewals'
    | 'notice rules'
    | 'answers'
    | 'proof head'
    | 'texts'
    | 'time zone'
    | 'archive'
    | 'account'
    | 'customers'
    | 'contracts'
    | 'failed rows'
    | 'stripe'
    | 'mail'
  /** Who caused it and whose it is, where a webhook tells of it. */
  actor?: 'stripe' | undefined
  account?: number | undefined
  /** Why a webhook was refused. */
  reason?: 'unsigned' | 'stale' | 'repeated' | undefined
  /** The route or the procedure that was refused. */
  call?: string | undefined
}

export type SecurityLog = (event: SecurityEvent, details?: SecurityDetails) => void

interface Source {
  actor: Actor
  account: number | undefined
  /** As the connection has it; only the network of it is written. */
  address: string
}

/** Writes what somebody did, or was refused, as one line each, whatever the level of the other lines is. */
export function securityLog(log: FastifyBaseLogger, { actor, account, address }: Source): SecurityLog {
  return (name, details = {}) =>
    write(log, name, { actor: actor || 'nobody', account, address: shortAddress(address), ...details })
}

/** Writes that a limit was met, which is counted where nobody knows the request. */
export function logMet(log: FastifyBaseLogger, { limit, who }: Met): void {
  const sources = {
    account: typeof who === 'number' ? { account: who } : {},
    address: { address: shortAddress(String(who)) },
    other: {},
  }
  write(log, 'limit.met', { limit, ...sources[countedBy(limit)] })
}

/** Writes that messages of an account first wait for a limit of emails on a day. */
export function logMailLimit(log: FastifyBaseLogger, met: { limit: MailLimit; account: number }): void {
  write(log, 'limit.met', met)
}

/** Writes that somebody sent a wrong token to `/operator` or `/metrics`. */
export function logWrongToken(
  { log, ip }: Pick<FastifyRequest, 'log' | 'ip'>,
  what: 'operator token' | 'metrics token',
): void {
  securityLog(log, { actor: '', account: undefined, address: ip })('credentials.refused', { what })
}

interface OfMail {
  account: number
  /** Of the message, in the ledger. */
  id?: number
  reason?: ReportReason
  /** How many readers had complained, of how many emails. */
  complaints?: number
  mails?: number
}

/** Writes what became of an account or its mail, caused by somebody outside, or by the operator. */
export function logOfMail(
  log: FastifyBaseLogger,
  name: SecurityEvent,
  { account, ...fields }: OfMail & { actor: Actor },
) {
  write(log, name, { account, ...fields })
}

/** Writes that a job has deleted an account. */
export function logDeletion(log: FastifyBaseLogger, deletion: { actor: Actor; account: number }): void {
  write(log, 'account.deleted', deletion)
}

function write(log: FastifyBaseLogger, name: SecurityEvent, fields: object): void {
  const level = log.level === 'silent' ? 'silent' : 'info'
  log.child({ event: 'security' }, { level }).info({ name, ...fields }, name)
}
