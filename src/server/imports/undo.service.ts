import { LockMode } from '@mikro-orm/core'
import sql from 'sql-template-tag'
import { z } from 'zod'
import { AppError } from '#shared/errors.ts'
import type { ById } from '#shared/schemas/fields.ts'
import type { SubscriberContext } from '#server/context.ts'
import { forgetMapping } from './column-mappings.ts'
import { ImportEntity } from './import.entity.ts'
import { lockImports } from './write-import.ts'
import { getImport } from './imports.service.ts'

const KeptRow = z.object({
  kind: z.enum(['customer', 'contract']),
  id: z.int(),
  /** The name of the customer, or of the contract's customer. */
  name: z.string(),
  reason: z.enum(['edited', 'hasContracts']),
})
export type KeptRow = z.output<typeof KeptRow>
const KeptRows = z.object({ keptCount: z.int(), kept: z.array(KeptRow) })
const RemovedRow = z.object({ count: z.int() })

export interface UndoneImport {
  removedContracts: number
  removedCustomers: number
  keptCount: number
  /** The first of the kept rows. */
  kept: KeptRow[]
}

const MOST_KEPT_NAMED = 1000

/**
 * Removes the rows that an import created. Rows edited since are kept, and so are customers with contracts; while any are
 * kept, the import stays in the list and can be undone again. What was chosen for the columns of its file is forgotten.
 * @throws IMPORT_NOT_FOUND, also for another account's import, IMPORT_RUNNING
 */
export async function undoImport(ctx: SubscriberContext, { id }: ById): Promise<UndoneImport> {
  const { em, accountId, services } = ctx
  await lockImports(ctx)
  const file = await em.findOne(ImportEntity, { accountId, id }, { lockMode: LockMode.PESSIMISTIC_WRITE })
  if ((await getImport(ctx, { id })).status === 'running') throw new AppError('IMPORT_RUNNING')
  const removedContracts = await removeContracts(ctx, id)
  const removedCustomers = await removeCustomers(ctx, id)
  const { keptCount, kept } = await keptRows(ctx, id)
  if (keptCount === 0) await em.nativeDelete(ImportEntity, { accountId, id })
  else await em.nativeUpdate(ImportEntity, { accountId, id }, { undoneAt: services.now() })
  if (file) await forgetMapping(ctx, file.kind, file.headings)
  return { removedContracts, removedCustomers, keptCount, kept }
}

/**
 * Giving a contract its own reminder settings is an edit, although no column of the contract changes. Sample data comes
 * with reminders turned off.
 */
const HAS_OWN_SETTINGS = sql`
  (num_nonnulls(o.reminder_days, o.follow_up_days, o.email, o.in_app) > 0 or o.enable_notifications is distinct from (
    select case when i.is_sample then false end from imports i where i.account_id = k.account_id and i.id = k.import_id))`

async function removeContracts({ write, accountId }: SubscriberContext, id: number): Promise<number> {
  const statement = sql`
    with removed as (
      delete from contracts k where k.account_id = ${accountId} and k.import_id = ${id} and k.edited_at is null
        and not exists (select from contract_reminder_preferences o
          where o.account_id = k.account_id and o.contract_id = k.id and ${HAS_OWN_SETTINGS})
      returning 1
    )
    select count(*)::int as count from removed`
  const [removed] = await write(statement, RemovedRow)
  return removed?.count ?? 0
}

async function removeCustomers({ write, accountId }: SubscriberContext, id: number): Promise<number> {
  const statement = sql`
    with removed as (
      delete from customers c where c.account_id = ${accountId} and c.import_id = ${id} and c.edited_at is null
        and not exists (select from contracts k where k.account_id = ${accountId} and k.customer_id = c.id)
      returning 1
    )
    select count(*)::int as count from removed`
  const [removed] = await write(statement, RemovedRow)
  return removed?.count ?? 0
}

async function keptRows({ read, accountId }: SubscriberContext, id: number) {
  const statement = sql`
    with kept as (
      select 'contract' as kind, k.id, c.name, 'edited' as reason
      from contracts k join customers c on c.account_id = k.account_id and c.id = k.customer_id
      where k.account_id = ${accountId} and k.import_id = ${id}
      union all
      select 'customer', c.id, c.name, case when c.edited_at is null then 'hasContracts' else 'edited' end
      from customers c where c.account_id = ${accountId} and c.import_id = ${id}
    )
    select (select count(*)::int from kept) as "keptCount",
      (select coalesce(json_agg(first), '[]') from (
        select * from kept order by kind, id limit ${MOST_KEPT_NAMED}
      ) first) as kept`
  const [found] = await read(statement, KeptRows)
  return found ?? { keptCount: 0, kept: [] }
}
