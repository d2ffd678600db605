import sql from 'sql-template-tag'
import { z } from 'zod'
import { tagResult, type ReasonLeftOut, type TagRequest } from '#shared/domain/bulk-change.ts'
import { amountFromSum } from '#shared/domain/money.ts'
import { tagKey } from '#shared/domain/tags.ts'
import type { Selection } from '#shared/schemas/bulk.ts'
import type { ReaderContext } from '#server/context.ts'
import { contractsOf } from '#server/contracts/contract.rows.ts'
import { ContractEntity } from '#server/contracts/contract.entity.ts'
import { columnsOf } from '#server/db/columns.ts'
import { planNoticesSoon } from '#server/ledger/schedule.ts'
import { addTags } from '#server/tags/tagged-rows.ts'
import { DELETED, noted, rowsOf, type KeptContract, type Row, type Run } from './bulk-run.ts'
import { selectedContracts } from './selection.ts'

const TAGGED = columnsOf(ContractEntity, 'k', ['id', 'tags'])
const Tagged = z.object(TAGGED.fields)

const Counted = z.object({ tags: z.array(z.string()), count: z.int(), cents: z.string() })

/** What a change of tags would do: contracts with the same tags are looked at once. */
export async function previewTags(
  { read, accountId, today }: Pick<ReaderContext, 'read' | 'accountId' | 'today'>,
  contracts: Selection,
  change: TagRequest,
) {
  const statement = sql`
    select k.tags, count(*)::int as count, sum(k.amount_cents)::text as cents
    ${selectedContracts(accountId, contracts, today)} group by k.tags`
  const left = new Map<ReasonLeftOut, number>()
  const sums = { count: 0, cents: 0n }
  for (const { tags, count, cents } of await read(statement, Counted)) {
    const result = tagResult(tags, change)
    if ('leftOut' in result) left.set(result.leftOut, (left.get(result.leftOut) ?? 0) + count)
    else {
      sums.count += count
      sums.cents += BigInt(cents)
    }
  }
  const amount = amountFromSum(sums.cents)
  const leftOut = [...left].map(([reason, count]) => ({ reason, count }))
  return { count: sums.count, amountBefore: amount, amount, leftOut }
}

/** Changes the tags of contracts, and remembers them as they were. */
export async function changeTags(run: Run, change: TagRequest, rows: readonly Row[]): Promise<void> {
  const { write, accountId } = run
  // A tag may have been renamed or removed since the change was started, and there may be no room for it any more.
  const known = await addTags(run, change.add)
  const add = change.add.flatMap((tag) => known.get(tagKey(tag)) ?? [])
  if (add.length < change.add.length) return void (await write(noted(run, 'left_out', rows.map(noRoom))))
  const request = { ...change, add }
  const found = await lockedTags(run, rows)
  const left: { contractId: number; reason: ReasonLeftOut }[] = []
  const changed = rows.flatMap(({ contractId }) => {
    const before = found.get(contractId)
    const result = before ? tagResult(before, request) : { leftOut: 'gone' as const }
    if ('tags' in result) return [{ contractId, before, after: result.tags }]
    left.push({ contractId, reason: result.leftOut })
    return []
  })
  await write(noted(run, 'left_out', left))
  await write(sql`
    with n as (
      select * from json_to_recordset(${JSON.stringify(changed)}::json) as n("contractId" int, before text[], after text[])
    ), k as (
      update contracts k set tags = n.after from n where k.account_id = ${accountId} and k.id = n."contractId"
    )
    update bulk_contracts r set state = 'changed', before_tags = n.before, after_tags = n.after from n
    where ${rowsOf(run)} and r.contract_id = n."contractId"`)
  await planNoticesSoon(run)
}

function noRoom({ contractId }: Row): { contractId: number; reason: ReasonLeftOut } {
  return { contractId, reason: 'tags_full' }
}

const NO_ROOM = 'Tags, of which the account has no room for more'

/** Puts back the tags of contracts where nobody has changed them since. */
export async function tagsTakenBack(run: Run, rows: readonly Row[]): Promise<KeptContract[]> {
  const found = await lockedTags(run, rows)
  const kept: KeptContract[] = []
  const restored = rows.flatMap(({ contractId, beforeTags, afterTags }) => {
    const tags = found.get(contractId)
    if (!tags) return (kept.push({ contractId, reason: DELETED }), [])
    if (tags.join(',') !== afterTags?.join(',')) return (kept.push({ contractId, reason: 'Tags' }), [])
    return [{ contractId, tags: beforeTags ?? [] }]
  })
  const names = [...new Set(restored.flatMap(({ tags }) => tags))]
  // A tag may have been removed since, and added again in another spelling.
  const known = await addTags(run, names)
  const changes = restored.flatMap(({ contractId, tags }) => {
    if (tags.some((name) => !known.has(tagKey(name)))) return (kept.push({ contractId, reason: NO_ROOM }), [])
    return [{ contractId, tags: tags.map((name) => known.get(tagKey(name)) ?? name) }]
  })
  await run.write(sql`
    update contracts k set tags = n.tags
    from json_to_recordset(${JSON.stringify(changes)}::json) as n("contractId" int, tags text[])
    where k.account_id = ${run.accountId} and k.id = n."contractId"`)
  await planNoticesSoon(run)
  return kept
}

async function lockedTags({ accountId, write }: Run, rows: readonly Row[]): Promise<Map<number, string[]>> {
  const ids = rows.map(({ contractId }) => contractId)
  const statement = sql`
    select ${TAGGED} ${contractsOf(accountId)} and k.id = any(${ids}::int[]) order by k.id for no key update`
  return new Map((await write(statement, Tagged)).map(({ id, tags }) => [id, tags]))
}
