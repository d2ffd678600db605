import sql from 'sql-template-tag'
import { bulkResult, type ReasonLeftOut, type TermRequest } from '#shared/domain/bulk-change.ts'
import type { Day } from '#shared/domain/day.ts'
import { amountFromSum } from '#shared/domain/money.ts'
import { bulkRequest, type BulkChange } from '#shared/schemas/bulk.ts'
import type { ReaderContext } from '#server/context.ts'
import { DECIDED, DecidedContract } from '#server/contracts/decisions.ts'
import { getRenewalSettings, knownReason } from '#server/contracts/renewal-settings.service.ts'
import { openQueue } from '#server/db/queue.ts'
import { countMail } from './count-mail.ts'
import { countTagNotices } from './count-tag-notices.ts'
import { previewReminders } from './remind-customers.ts'
import { selectedContracts } from './selection.ts'
import { previewTags } from './tag-contracts.ts'

const READ_AT_ONCE = 2000
/** A preview of very many contracts keeps the process busy for seconds, so that those of one account wait for each other. */
const inTurn = openQueue<number>()
/** As many as an account may have under way, so that none is refused for it. */
const MOST_WAITING = 4

/** What a change would do now. */
export interface BulkPreview {
  /** How many contracts would change. */
  count: number
  /** The sum of their amounts in US dollars: those of the terms that end or are repriced, and those afterwards. */
  amountBefore: number
  amount: number
  leftOut: { reason: ReasonLeftOut; count: number }[]
  /** Of reminders, and of renewals that customers are told of: how many emails would be sent, and to how many customers. */
  emails?: number
  customers?: number
  /**
   * Of renewals: how many other emails about the new renewal dates would go out to customers today. Of changes of tags: how
   * many notices would, where rules are chosen for tags.
   */
  emailsToday?: number
  /** Of changes of tags: false if there are more contracts than are looked at; there may then be more notices. */
  isAll?: boolean
  /** Of renewals: how many of all these emails would wait for another day, because they are over today's limits. */
  waiting?: number
}

/** Computes what a change would do, and changes nothing. @throws END_REASON_UNKNOWN, TOO_MANY_AT_ONCE */
export async function previewBulk(ctx: ReaderContext, input: BulkChange): Promise<BulkPreview> {
  if (input.reason !== undefined) await knownReason(ctx, input.reason)
  const { limits, accountId } = ctx
  return limits.during('previews', accountId, () => {
    return inTurn({ name: accountId, mostWaiting: MOST_WAITING }, () => computed(ctx, input))
  })
}

async function computed(ctx: ReaderContext, input: BulkChange): Promise<BulkPreview> {
  const { read, accountId, today } = ctx
  const change = bulkRequest(input)
  if (change.action === 'remind') return previewReminders(ctx, input.contracts)
  if (change.action === 'tag') {
    const { notices, isAll } = await countTagNotices(ctx, input.contracts, change)
    const preview = await previewTags({ read, accountId, today }, input.contracts, change)
    return { ...preview, emailsToday: notices, isAll }
  }
  const selected = selectedContracts(accountId, input.contracts, today)
  const left = new Map<ReasonLeftOut, number>()
  const sums = { count: 0, before: 0n, after: 0n }
  const mail = change.action === 'renew' ? await countMail(ctx, await isConfirmed(ctx, input)) : undefined
  for (let after = 0; ;) {
    const statement = sql`select ${DECIDED} ${selected} and k.id > ${after} order by k.id limit ${READ_AT_ONCE}`
    const contracts = await read(statement, DecidedContract)
    const changed = contracts.flatMap((contract) => addIfChanged({ sums, left }, { contract, change, today }))
    await mail?.add(changed)
    const last = contracts.at(-1)
    if (!last || contracts.length < READ_AT_ONCE) break
    after = last.id
  }
  return {
    count: sums.count,
    amountBefore: amountFromSum(sums.before),
    amount: amountFromSum(sums.after),
    leftOut: [...left].map(([reason, count]) => ({ reason, count })),
    ...mail?.counts(),
  }
}

/** Whether the customers of renewed contracts are told. */
export async function isConfirmed(
  ctx: Pick<ReaderContext, 'read' | 'accountId'>,
  { confirm }: BulkChange,
): Promise<boolean> {
  return confirm ?? (await getRenewalSettings(ctx)).confirmRenewals
}

interface Sums {
  sums: { count: number; before: bigint; after: bigint }
  left: Map<ReasonLeftOut, number>
}

/** Adds up a contract that would change, and returns what it would be; nothing if it would not change. */
function addIfChanged(
  { sums, left }: Sums,
  { contract, change, today }: { contract: DecidedContract; change: TermRequest; today: Day },
): DecidedContract[] {
  const result = bulkResult(contract, change, today)
  if ('leftOut' in result) {
    left.set(result.leftOut, (left.get(result.leftOut) ?? 0) + 1)
    return []
  }
  const { amountCents, nextAmountCents } = result.contract
  const after = change.action === 'change_price' ? (nextAmountCents ?? amountCents) : amountCents
  sums.count += 1
  sums.before += BigInt(contract.amountCents)
  sums.after += BigInt(after)
  return [result.contract]
}
