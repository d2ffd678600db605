import { LockMode } from '@mikro-orm/core'
import sql from 'sql-template-tag'
import { z } from 'zod'
import { AppError } from '#shared/errors.ts'
import type { ById } from '#shared/schemas/fields.ts'
import { IMPORT_STATUSES, type ListImports } from '#shared/schemas/imports.ts'
import type { ReaderContext, SubscriberContext } from '#server/context.ts'
import { contractsOf } from '#server/contracts/contract.rows.ts'
import { moveContractsToTrash } from '#server/contracts/contract.trash.ts'
import { customersOf } from '#server/customers/customer.rows.ts'
import { moveCustomersToTrash } from '#server/customers/customer.trash.ts'
import { columnsOf } from '#server/db/columns.ts'
import { pageOf, type SortKey } from '#server/db/keyset.ts'
import { pageRow, pageStatement, pageView } from '#server/db/page.ts'
import { NOT_DELETED } from '#server/db/trash.ts'
import { forgetMapping } from './column-mappings.ts'
import { ImportEntity } from './import.entity.ts'
import { undoUpdates } from './undo-updates.ts'

/** An import without progress for this long was interrupted: by a crash, a restart or a lost database. */
const STALE = sql`interval '1 minute'`

const OWN = columnsOf(ImportEntity, 'i', [
  'id',
  'kind',
  'fileName',
  // Rows of the file.
  'rows',
  'created',
  'createdCustomers',
  'updated',
  // Rows with the reference of a contract that they did not change.
  'unchanged',
  // How many of the updated contracts can be put back; older ones are forgotten.
  'updatedKept',
  'failed',
  // The last line of the last batch: everything up to it is imported, nothing after it.
  'throughLine',
  'createdAt',
  'finishedAt',
  // When it was undone in part; the rows that stay had been edited or were in use.
  'undoneAt',
  // Made-up rows for trying the product.
  'isSample',
])

/** The columns of an ImportView, from imports `i`. */
export const IMPORT_COLUMNS = sql`
  ${OWN}, coalesce(i.failed_kept, i.failed) as "failedKept",
  case when i.finished_at is not null then 'finished'
    when i.updated_at < now() - ${STALE} then 'interrupted' else 'running' end as status`

export const ImportView = z.object({
  ...OWN.fields,
  /** How many of the failed rows are still stored: both their number and their age are limited. */
  failedKept: z.int(),
  status: z.enum(IMPORT_STATUSES),
})
export type ImportView = z.output<typeof ImportView>

const LATEST_FIRST: SortKey = { name: 'imports', expression: 'i.id', type: 'int', id: 'i.id' }

const ImportPage = pageRow(ImportView)

/** The latest imports first. */
export async function listImports({ read, accountId }: ReaderContext, filter: ListImports) {
  const page = pageOf(LATEST_FIRST, 'desc', filter)
  const from = sql`from imports i where i.account_id = ${accountId}`
  const [found] = await read(pageStatement({ columns: IMPORT_COLUMNS, from, page }), ImportPage)
  return pageView(found, page, ({ cursor, ...view }): ImportView => view)
}

/** @throws IMPORT_NOT_FOUND, also for another account's import */
export async function getImport({ read, accountId }: ReaderContext, { id }: ById): Promise<ImportView> {
  const [found] = await read(
    sql`select ${IMPORT_COLUMNS} from imports i where i.account_id = ${accountId} and i.id = ${id}`,
    ImportView,
  )
  if (!found) throw new AppError('IMPORT_NOT_FOUND')
  return found
}

const KeptRow = z.object({
  kind: z.enum(['customer', 'contract']),
  id: z.int(),
  /** The name of the customer, or of the contract's customer. */
  name: z.string(),
  reason: z.enum(['edited', 'hasContracts']),
})
export type KeptRow = z.output<typeof KeptRow>
const KeptRows = z.object({ keptCount: z.int(), kept: z.array(KeptRow) })

export interface UndoneImport {
  removedContracts: number
  removedCustomers: number
  /** Contracts that the import had changed, and that are as they were before. */
  restoredContracts: number
  keptCount: number
  /** The first of the kept rows. */
  kept: KeptRow[]
}

const MOST_KEPT_NAMED = 1000

/**
 * Moves the rows that an import created to the trash, and puts the contracts that it changed back as they were. Rows edited since are
 * kept, and so are customers with contracts; while any are kept, the import stays in the list and can be undone again. What was chosen for the columns of its file is forgotten.
 * @throws IMPORT_NOT_FOUND, also for another account's import, IMPORT_RUNNING, TAGS_FULL
 */
export async function undoImport(ctx: SubscriberContext, { id }: ById): Promise<UndoneImport> {
  const { em, accountId } = ctx
  await lockImports(ctx)
  const file = await em.findOne(ImportEntity, { accountId, id }, { lockMode: LockMode.PESSIMISTIC_WRITE })
  if ((await getImport(ctx, { id })).status === 'running') throw new AppError('IMPORT_RUNNING')
  const restoredContracts = await undoUpdates(ctx, id)
  const removedContracts = await moveContracts(ctx, id)
  const removedCustomers = await moveCustomers(ctx, id)
  const { keptCount, kept } = await keptRows(ctx, id)
  if (keptCount === 0) await em.nativeDelete(ImportEntity, { accountId, id })
  else await recordUndone(ctx, id)
  if (file) await forgetMapping(ctx, file.kind, file.headings)
  return { removedContracts, removedCustomers, restoredContracts, keptCount, kept }
}

async function recordUndone({ write, accountId, services }: SubscriberContext, id: number): Promise<void> {
  await write(sql`
    update imports i set undone_at = ${services.now()}, updated_kept = (select count(*)::int from import_updates u
      where u.account_id = i.account_id and u.import_id = i.id)
    where i.account_id = ${accountId} and i.id = ${id}`)
}

/**
 * Giving a contract its own reminder settings is an edit, although no column of the contract changes. Sample data comes
 * with reminders turned off.
 */
const HAS_OWN_SETTINGS = sql`
  (num_nonnulls(o.reminder_days, o.follow_up_days, o.email, o.in_app) > 0 or o.enable_notifications is distinct from (
    select case when i.is_sample then false end from imports i where i.account_id = k.account_id and i.id = k.import_id))`

/**
 * In two statements: an edit that is being saved is committed before the row can be locked, and only then seen. Rows that
 * match only after the first, as they were restored from the trash, are not locked, and stay.
 */
async function moveContracts(ctx: SubscriberContext, id: number): Promise<number> {
  const isUnused = sql`k.import_id = ${id} and k.edited_at is null
    and not exists (select from contract_reminder_preferences o
      where o.account_id = k.account_id and o.contract_id = k.id and ${HAS_OWN_SETTINGS})`
  const unused = sql`select k.id ${contractsOf(ctx.accountId)} and ${isUnused} order by k.id for no key update of k`
  const locked = await ctx.write(unused, z.object({ id: z.int() }))
  const ids = locked.map((contract) => contract.id)
  return moveContractsToTrash({ ...ctx, now: ctx.services.now() }, sql`${isUnused} and k.id = any(${ids}::int[])`)
}

function moveCustomers(ctx: SubscriberContext, id: number): Promise<number> {
  const isUnused = sql`c.import_id = ${id} and c.edited_at is null
    and not exists (select ${contractsOf(ctx.accountId)} and k.customer_id = c.id)`
  return moveCustomersToTrash(ctx, isUnused)
}

async function keptRows({ read, accountId }: SubscriberContext, id: number) {
  const statement = sql`
    with kept as (
      select 'contract' as kind, k.id, c.name, 'edited' as reason
      from contracts k join customers c on c.account_id = k.account_id and c.id = k.customer_id
      where k.account_id = ${accountId} and k.import_id = ${id} and k.${NOT_DELETED}
      union all
      select 'contract', k.id, c.name, 'edited'
      from import_updates u join contracts k on k.account_id = u.account_id and k.id = u.contract_id
        join customers c on c.account_id = k.account_id and c.id = k.customer_id
      where u.account_id = ${accountId} and u.import_id = ${id} and k.${NOT_DELETED}
      union all
      select 'customer', c.id, c.name, case when c.edited_at is null then 'hasContracts' else 'edited' end
      ${customersOf(accountId)} and c.import_id = ${id}
    )
    select (select count(*)::int from kept) as "keptCount",
      (select coalesce(json_agg(first), '[]') from (
        select * from kept order by kind, id limit ${MOST_KEPT_NAMED}
      ) first) as kept`
  const [found] = await read(statement, KeptRows)
  return found ?? { keptCount: 0, kept: [] }
}

/**
 * Everything that imports or undoes holds this lock, a transaction at a time: otherwise a transaction that adds customers
 * and contracts and one that removes contracts and customers could deadlock on their totals.
 */
export async function lockImports({ write, accountId }: SubscriberContext): Promise<void> {
  await write(sql`select pg_advisory_xact_lock(hashtextextended('imports', ${accountId}))`)
}
