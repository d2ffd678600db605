import sql from 'sql-template-tag'
import { z } from 'zod'
import type { ListSettings } from '#shared/schemas/views.ts'
import type { ReaderContext, SubscriberContext } from '#server/context.ts'
import { columnsOf } from '#server/db/columns.ts'
import { ListSettingsEntity } from './list-settings.entity.ts'

const OWN = columnsOf(ListSettingsEntity, 's', ['contractColumns'])
const SettingsRow = z.object(OWN.fields)

/** What the account's lists show unless chosen otherwise; null is the usual. */
export async function getListSettings({ read, accountId }: ReaderContext): Promise<ListSettings> {
  const [row] = await read(sql`select ${OWN} from list_settings s where account_id = ${accountId}`, SettingsRow)
  return { contractColumns: row?.contractColumns ?? null }
}

/** The same call sent again changes nothing. */
export async function saveListSettings(ctx: SubscriberContext, settings: ListSettings): Promise<ListSettings> {
  await ctx.em.upsert(ListSettingsEntity, { accountId: ctx.accountId, ...settings })
  return settings
}
