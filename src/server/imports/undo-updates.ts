import sql from 'sql-template-tag'
import { z } from 'zod'
import type { SubscriberContext } from '#server/context.ts'
import { ContractEntity } from '#server/contracts/contract.entity.ts'
import { contractsOf } from '#server/contracts/contract.rows.ts'
import { columnsOf } from '#server/db/columns.ts'
import { NOT_DELETED } from '#server/db/trash.ts'
import { planSoon } from '#server/ledger/schedule.ts'
import { spelledTags } from '#server/tags/tagged-rows.ts'
import { ImportUpdateEntity } from './import.entity.ts'
import { contractsSet, RESTORABLE } from './update-contracts.ts'

const CONTRACTS_AT_ONCE = 2000

/**
 * Puts the contracts that an import changed back as they were, unless somebody has changed them since. Those are left to be
 * undone later. Returns how many were put back.
 */
export async function undoUpdates(ctx: SubscriberContext, importId: number): Promise<number> {
  const { write, accountId } = ctx
  await respell(ctx, importId)
  let restored = 0
  for (let after = 0; ;) {
    const rows = await write(
      sql`select ${UPDATED} from import_updates u
        where u.account_id = ${accountId} and u.import_id = ${importId} and u.contract_id > ${after}
        order by u.contract_id limit ${CONTRACTS_AT_ONCE}`,
      UpdatedRow,
    )
    const ids = rows.map(({ contractId }) => contractId)
    if (ids.length > 0) restored += await restore(ctx, importId, ids)
    if (ids.length < CONTRACTS_AT_ONCE) return restored
    after = ids.at(-1) ?? after
  }
}

const UPDATED = columnsOf(ImportUpdateEntity, 'u', ['contractId'])
const UpdatedRow = z.object(UPDATED.fields)
const DATES = columnsOf(ContractEntity, 'k', ['id', 'status', 'renewalDate'])
const RestoredRow = z.object({ ...DATES.fields, isUnedited: z.boolean() })

async function restore(ctx: SubscriberContext, importId: number, ids: readonly number[]): Promise<number> {
  const { write, accountId } = ctx
  // An edit that is being saved is committed before the row can be locked, and only then seen.
  await write(sql`
    select count(*) from (
      select ${contractsOf(accountId)} and k.id = any(${[...ids]}::int[]) order by k.id for no key update of k) locked`)
  const restored = await write(
    sql`
      with n as materialized (
        select u.contract_id as id, u.version, r.* from import_updates u
          cross join lateral jsonb_to_record(u.before) as r(${RESTORABLE})
        where u.account_id = ${accountId} and u.import_id = ${importId} and u.contract_id = any(${[...ids]}::int[])
      ), k as (
        ${contractsSet(accountId, ids)} and k.version = n.version and k.${NOT_DELETED}
        returning k.id, k.status, k.renewal_date, k.import_id is not null and n."editedAt" is null as is_unedited
      )
      select ${DATES}, is_unedited as "isUnedited" from k`,
    RestoredRow,
  )
  await forget(ctx, importId, restored)
  await planSoon(ctx, restored)
  return restored.length
}

/** An earlier import that had created or changed them can be undone as before. */
async function forget(
  { write, accountId }: SubscriberContext,
  importId: number,
  restored: readonly z.output<typeof RestoredRow>[],
): Promise<void> {
  const ids = restored.map(({ id }) => id)
  const unedited = restored.filter(({ isUnedited }) => isUnedited).map(({ id }) => id)
  await write(
    sql`update contracts set edited_at = null where account_id = ${accountId} and id = any(${unedited}::int[])`,
  )
  // A contract is again as the import left it whose version this one had found.
  await write(sql`
    update import_updates earlier set version = k.version
    from import_updates undone join contracts k on k.account_id = undone.account_id and k.id = undone.contract_id
    where undone.account_id = ${accountId} and undone.import_id = ${importId} and undone.contract_id = any(${ids}::int[])
      and earlier.account_id = undone.account_id and earlier.contract_id = undone.contract_id
      and earlier.import_id <> undone.import_id and earlier.version = undone.version_before`)
  await write(sql`
    delete from import_updates
    where account_id = ${accountId} and import_id = ${importId} and contract_id = any(${ids}::int[])`)
}

const TagRow = z.object({ tag: z.string() })

/** A tag may have been removed since, and added again in another spelling. */
async function respell(ctx: SubscriberContext, importId: number): Promise<void> {
  const { write, accountId } = ctx
  const rows = await write(
    sql`select distinct tag from import_updates u cross join lateral jsonb_array_elements_text(u.before -> 'tags') tag
      where u.account_id = ${accountId} and u.import_id = ${importId}`,
    TagRow,
  )
  const tags = rows.map(({ tag }) => tag)
  const spelled = await spelledTags(ctx, tags)
  for (const [index, tag] of tags.entries()) {
    const name = spelled[index]
    if (name === undefined || name === tag) continue
    await write(sql`
      update import_updates set before = jsonb_set(before, '{tags}', (
        select jsonb_agg(case when t = ${tag} then ${name} else t end) from jsonb_array_elements_text(before -> 'tags') t))
      where account_id = ${accountId} and import_id = ${importId} and jsonb_exists(before -> 'tags', ${tag})`)
  }
}
