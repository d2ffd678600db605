import sql, { empty, type Sql } from 'sql-template-tag'
import { z } from 'zod'
import { AppError } from '#shared/errors.ts'
import { DEFAULT_END_REASONS, type RenewalSettings, type SaveRenewalSettings } from '#shared/schemas/renewals.ts'
import type { ReaderContext, SubscriberContext } from '#server/context.ts'
import { columnsOf } from '#server/db/columns.ts'
import { withoutUndefined } from '#server/db/without-undefined.ts'
import { confirmationsStopped } from '#server/ledger/confirmations.ts'
import { RenewalSettingsEntity } from './renewal-settings.entity.ts'

const SETTINGS = columnsOf(RenewalSettingsEntity, 's', ['confirmRenewals', 'endOverdueAfterDays', 'endReasons'])
const SettingsRow = z.object(SETTINGS.fields)

/** What happens automatically in an account, and the reasons for which its contracts end. */
export function getRenewalSettings(ctx: Pick<ReaderContext, 'read' | 'accountId'>): Promise<RenewalSettings> {
  return settingsOf(ctx, empty)
}

/**
 * The same, locked against changes until the transaction ends: turning confirmations off waits, and then withdraws what this
 * transaction has planned. Call it before locking contracts, as the renewal job does. An account that has never saved any
 * has nothing to lock: its confirmations are off.
 */
export function lockedRenewalSettings({
  write,
  accountId,
}: Pick<SubscriberContext, 'write' | 'accountId'>): Promise<RenewalSettings> {
  return settingsOf({ read: write, accountId }, sql`for share`)
}

async function settingsOf({ read, accountId }: Pick<ReaderContext, 'read' | 'accountId'>, lock: Sql) {
  const statement = sql`select ${SETTINGS} from renewal_settings s where account_id = ${accountId} ${lock}`
  const [row] = await read(statement, SettingsRow)
  return {
    confirmRenewals: row?.confirmRenewals ?? false,
    endOverdueAfterDays: row?.endOverdueAfterDays ?? null,
    endReasons: row?.endReasons ?? DEFAULT_END_REASONS,
  }
}

/** Locks the settings of an account, as who changes them does. */
export function lockRenewalSettings(accountId: number): Sql {
  return sql`select from renewal_settings where account_id = ${accountId} for no key update`
}

/** A reason as the account's list spells it, whatever the case in which it was sent. @throws END_REASON_UNKNOWN */
export async function knownReason(ctx: Pick<ReaderContext, 'read' | 'accountId'>, sent: string): Promise<string> {
  const { endReasons: reasons } = await getRenewalSettings(ctx)
  const reason = reasons.find((one) => one.toLowerCase() === sent.toLowerCase())
  if (reason !== undefined) return reason
  throw new AppError('END_REASON_UNKNOWN', { values: { reasons: reasons.join(', ') }, details: { reasons } })
}

/**
 * Contracts that are overdue for long enough end at the next run of the job. Recorded reasons stay as they are. Once
 * customers are no longer told of renewals, confirmations that are waiting are not sent.
 */
export async function saveRenewalSettings(ctx: SubscriberContext, sent: SaveRenewalSettings): Promise<RenewalSettings> {
  const { em, write, accountId, services } = ctx
  await write(lockRenewalSettings(accountId))
  const before = await getRenewalSettings(ctx)
  await em.upsert(RenewalSettingsEntity, { accountId, ...withoutUndefined(sent), endedThrough: null })
  const isTurnedOff = before.confirmRenewals && sent.confirmRenewals === false
  if (isTurnedOff) await write(confirmationsStopped({ accountId, now: services.now() }))
  return getRenewalSettings(ctx)
}
