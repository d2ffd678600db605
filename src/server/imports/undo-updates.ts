import sql from 'sql-template-tag'
import { z } from 'zod'
import type { SubscriberContext } from '#server/context.ts'
import { ContractEntity } from '#server/contracts/contract.entity.ts'
import { columnsOf } from '#server/db/columns.ts'
import { NOT_DELETED } from '#server/db/trash.ts'
import { planSoon } from '#server/ledger/schedule.ts'
import { spelledTags } from '#server/tags/tagged-rows.ts'
import { contractsSet, RESTORABLE } from './update-contracts.ts'

const DATES = columnsOf(ContractEntity, 'k', ['status', 'renewalDate'])
const Restored = z.object({ ...DATES.fields, count: z.int(), unedited: z.array(z.int()) })

/**
 * Puts the contracts that an import changed back as they were, unless somebody has changed them since. Those are left to be
 * undone later. Returns how many were put back.
 */
export async function undoUpdates(ctx: SubscriberContext, importId: number): Promise<number> {
  const { write, accountId } = ctx
  await respell(ctx, importId)
  // An edit that is being saved is committed before the row can be locked, and only then seen.
  await write(sql`
    select count(*) from (
      select from import_updates u join contracts k on k.account_id = u.account_id and k.id = u.contract_id
      where u.account_id = ${accountId} and u.import_id = ${importId} and k.${NOT_DELETED}
      order by k.id for no key update of k) locked`)
  const restored = await write(
    sql`
      with n as materialized (
        select u.contract_id as id, u.version, r.* from import_updates u
          cross join lateral jsonb_to_record(u.before) as r(${RESTORABLE})
        where u.account_id = ${accountId} and u.import_id = ${importId}
      ), k as (
        ${contractsSet(accountId)} and k.version = n.version and k.${NOT_DELETED}
        returning k.id, k.status, k.renewal_date, k.import_id is not null and n."editedAt" is null as is_unedited
      ), forgotten as (
        delete from import_updates u using k
        where u.account_id = ${accountId} and u.import_id = ${importId} and u.contract_id = k.id
      )
      select ${DATES}, count(*)::int as count, coalesce(array_agg(k.id) filter (where is_unedited), '{}') as unedited
      from k group by 1, 2`,
    Restored,
  )
  // An earlier import that had created it can be undone as before.
  const unedited = restored.flatMap((one) => one.unedited)
  await write(
    sql`update contracts set edited_at = null where account_id = ${accountId} and id = any(${unedited}::int[])`,
  )
  await planSoon(ctx, restored)
  return restored.reduce((sum, { count }) => sum + count, 0)
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
