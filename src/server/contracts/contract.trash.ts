import sql, { type Sql } from 'sql-template-tag'
import { z } from 'zod'
import type { SubscriberContext } from '#server/context.ts'
import { columnsOf, instant } from '#server/db/columns.ts'
import { NOT_DELETED, seeingTrash } from '#server/db/trash.ts'
import { planSoon } from '#server/ledger/schedule.ts'
import { messagesOfDeleted, messagesResumed } from '#server/ledger/terms.ts'
import { ContractEntity } from './contract.entity.ts'

type Writer = Pick<SubscriberContext, 'write' | 'accountId' | 'services' | 'today'>

const Counted = z.object({ count: z.int() })

/** Moves the contracts `k` of a condition to the trash, and skips their planned messages. Returns how many there were. */
export async function moveContractsToTrash(
  { write, accountId, now }: Pick<Writer, 'write' | 'accountId'> & { now: Date },
  which: Sql,
): Promise<number> {
  const statement = sql`
    with moved as (
      update contracts k set deleted_at = ${now} where k.account_id = ${accountId} and k.${NOT_DELETED} and ${which}
      returning k.id
    ), ended as (${messagesOfDeleted(sql`select id from moved`, { accountId, now })})
    select count(*)::int as count from moved`
  const [moved] = await seeingTrash(write, () => write(statement, Counted))
  return moved?.count ?? 0
}

const DELETED = columnsOf(ContractEntity, 'k', ['id', 'customerId', 'status', 'renewalDate', 'termNumber'])
const DeletedContract = z.object({ ...DELETED.fields, deletedAt: instant })
export type DeletedContract = z.output<typeof DeletedContract>

/** Those of these contracts that are in the trash, which nobody else can change until the transaction ends. */
export function lockDeletedContracts({ write, accountId }: Writer, ids: readonly number[]): Promise<DeletedContract[]> {
  const statement = sql`
    select ${DELETED}, k.deleted_at as "deletedAt" from contracts k
    where k.account_id = ${accountId} and k.id = any(${[...ids]}::int[]) and k.deleted_at is not null
    order by k.id for no key update`
  return seeingTrash(write, () => write(statement, DeletedContract))
}

/**
 * Takes contracts out of the trash, as if they had not been deleted: messages that the deletion had skipped are planned
 * again. Their customers have to be outside the trash.
 */
export async function restoreContracts(ctx: Writer, contracts: readonly DeletedContract[]): Promise<void> {
  if (contracts.length === 0) return
  const { write, accountId, services } = ctx
  const ids = contracts.map(({ id }) => id)
  const ended = contracts.map(({ id, termNumber, deletedAt }) => {
    return { contractId: id, termNumber, decidedAt: deletedAt, isOwnerOnly: false }
  })
  await seeingTrash(write, () =>
    write(sql`
      with resumed as (${messagesResumed(ended, 'deletion', { accountId, now: services.now() })})
      update contracts set deleted_at = null where account_id = ${accountId} and id = any(${ids}::int[])`),
  )
  await planSoon(ctx, contracts)
}

const RemovedRow = z.object({ pdfPath: z.string().nullable() })

/** Deletes for good the contracts `k` of a condition that are in the trash. Returns the names of their PDFs. */
export async function removeDeletedContracts(
  { write, accountId }: Pick<Writer, 'write' | 'accountId'>,
  which: Sql,
): Promise<{ removed: number; pdfs: string[] }> {
  const statement = sql`
    delete from contracts k where k.account_id = ${accountId} and k.deleted_at is not null and ${which}
    returning k.pdf_path as "pdfPath"`
  const rows = await seeingTrash(write, () => write(statement, RemovedRow))
  return { removed: rows.length, pdfs: rows.flatMap(({ pdfPath }) => (pdfPath === null ? [] : [pdfPath])) }
}
