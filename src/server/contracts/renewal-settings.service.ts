import sql from 'sql-template-tag'
import { z } from 'zod'
import { AppError } from '#shared/errors.ts'
import { DEFAULT_END_REASONS, type RenewalSettings, type SaveRenewalSettings } from '#shared/schemas/renewals.ts'
import type { ReaderContext, SubscriberContext } from '#server/context.ts'
import { columnsOf } from '#server/db/columns.ts'
import { confirmationsStopped } from '#server/ledger/confirmations.ts'
import { RenewalSettingsEntity } from './renewal-settings.entity.ts'

const SETTINGS = columnsOf(RenewalSettingsEntity, 's', ['confirmRenewals', 'endOverdueAfterDays', 'endReasons'])
const SettingsRow = z.object(SETTINGS.fields)

/** What happens automatically in an account, and the reasons for which its contracts end. */
export async function getRenewalSettings({
  read,
  accountId,
}: Pick<ReaderContext, 'read' | 'accountId'>): Promise<RenewalSettings> {
  const [row] = await read(sql`select ${SETTINGS} from renewal_settings s where account_id = ${accountId}`, SettingsRow)
  return {
    confirmRenewals: row?.confirmRenewals ?? false,
    endOverdueAfterDays: row?.endOverdueAfterDays ?? null,
    endReasons: row?.endReasons ?? DEFAULT_END_REASONS,
  }
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
  const before = await getRenewalSettings(ctx)
  const settings = { ...sent, confirmRenewals: sent.confirmRenewals ?? before.confirmRenewals }
  await em.upsert(RenewalSettingsEntity, { accountId, ...settings, endedThrough: null })
  const isTurnedOff = before.confirmRenewals && !settings.confirmRenewals
  if (isTurnedOff) await write(confirmationsStopped({ accountId, now: services.now() }))
  return settings
}
