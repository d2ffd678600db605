import sql, { type Sql } from 'sql-template-tag'
import { z } from 'zod'
import { amountFromCents } from '#shared/domain/money.ts'
import { goneAt, TRASH_KINDS, type TrashKind } from '#shared/domain/trash.ts'
import { AppError } from '#shared/errors.ts'
import type { ById } from '#shared/schemas/fields.ts'
import type { ListTrash, RestoreFromTrash } from '#shared/schemas/trash.ts'
import { actorColumns, ActorFields, actorView, type ActorView } from '#server/activity/actor-name.ts'
import type { ReaderContext, SubscriberContext } from '#server/context.ts'
import { ContractEntity } from '#server/contracts/contract.entity.ts'
import { lockDeletedContracts, restoreContracts } from '#server/contracts/contract.trash.ts'
import { removeDeletedCustomers, restoreCustomers } from '#server/customers/customer.trash.ts'
import { columnsOf, instant } from '#server/db/columns.ts'
import { pageOf, type SortKey } from '#server/db/keyset.ts'
import { pageRow, pageStatement, pageView, type PageView } from '#server/db/page.ts'
import { deleteForGood } from './delete-for-good.ts'

/** A customer or contract in the trash. */
export interface TrashView {
  kind: TrashKind
  id: number
  /** Of the customer, or of the contract's customer. */
  name: string
  /** What the contract is for. */
  title: string | null
  /** The contract's, in US dollars. */
  amount: number | null
  deletedAt: Date
  deletedBy: ActorView | null
  /** When it is deleted for good. */
  goneAt: Date
}

const AMOUNT = columnsOf(ContractEntity, 'k', ['amountCents'])
const TrashRow = z.object({
  kind: z.enum(TRASH_KINDS),
  id: z.int(),
  name: z.string(),
  title: z.string().nullable(),
  amountCents: AMOUNT.fields.amountCents.nullable(),
  deletedAt: instant,
  ...ActorFields,
})
const TrashPage = pageRow(TrashRow)

/** Customers and contracts may have been deleted at the same time, and have the same ids. */
const NEWEST: SortKey = { name: 'trash', expression: 't.deleted_at', type: 'timestamptz', id: 't.position' }

/** What was deleted in the last 30 days, the newest first. */
export async function listTrash({ db, accountId }: ReaderContext, filter: ListTrash): Promise<PageView<TrashView>> {
  const page = pageOf(NEWEST, 'desc', filter)
  // Here, and not for all that is in the trash.
  const columns = sql`
    t.kind, t.id, (select name from customers c where c.account_id = ${accountId} and c.id = t.customer_id) as name, t.title,
    t.amount_cents::float8 as "amountCents", t.deleted_at as "deletedAt", ${actorColumns(accountId, deletedBy(accountId))}`
  const from = sql`from (${inTrash(accountId)}) t where true`
  const statement = pageStatement({ columns, from, page, total: countInTrash(accountId) })
  const [found] = await db.readAs(accountId, { trash: true })(statement, TrashPage)
  return pageView(found, page, trashView)
}

function inTrash(accountId: number): Sql {
  return sql`
    select 'customer' as kind, c.id, c.id * 2 as position, c.id as customer_id, null as title,
      null::bigint as amount_cents, c.deleted_at
    from customers c where c.account_id = ${accountId} and c.deleted_at is not null
    union all
    select 'contract', k.id, k.id * 2 + 1, k.customer_id, k.title, k.amount_cents, k.deleted_at
    from contracts k where k.account_id = ${accountId} and k.deleted_at is not null`
}

/** The deletion is the last change, unless a tag has been renamed or removed since. */
function deletedBy(accountId: number): Sql {
  return sql`(select actor from activity
    where account_id = ${accountId} and about = t.kind and about_id = t.id and after ->> 'deleted_at' is not null
    order by id desc limit 1)`
}

function countInTrash(accountId: number): Sql {
  return sql`
    select (coalesce((select sum(in_trash) from customer_totals where account_id = ${accountId}), 0)
      + coalesce((select sum(in_trash) from contract_totals where account_id = ${accountId}), 0))::int`
}

function trashView({ kind, id, name, title, amountCents, deletedAt, ...actor }: z.output<typeof TrashRow>): TrashView {
  const amount = amountCents === null ? null : amountFromCents(amountCents)
  return { kind, id, name, title, amount, deletedAt, deletedBy: actorView(actor), goneAt: goneAt(deletedAt) }
}

/** What was restored, and what was not because it is not in the trash. */
export interface Restored {
  /** Also those of the contracts. */
  customers: number[]
  contracts: number[]
  /** Customers without the number that they had, because another customer has it by now. */
  droppedNumbers: { customerId: number; name: string; customerNumber: string }[]
  notRestored: { kind: TrashKind; id: number; reason: string }[]
}

const NOT_IN_TRASH = 'It is not in the trash'

/**
 * Takes customers and contracts out of the trash, as if they had not been deleted. A contract brings its customer along.
 * @throws ACCOUNT_BUSY if another customer is given the number at the same time
 */
export async function restoreFromTrash(
  ctx: SubscriberContext,
  { customers, contracts }: RestoreFromTrash,
): Promise<Restored> {
  const deleted = await lockDeletedContracts(ctx, contracts)
  const asked = [...new Set([...customers, ...deleted.map(({ customerId }) => customerId)])]
  const restored = await restoreCustomers(ctx, asked)
  await restoreContracts(ctx, deleted)
  const customerIds = restored.map(({ id }) => id)
  const contractIds = deleted.map(({ id }) => id)
  return {
    customers: customerIds,
    contracts: contractIds,
    droppedNumbers: restored.flatMap(({ id, name, droppedNumber }) =>
      droppedNumber === null ? [] : [{ customerId: id, name, customerNumber: droppedNumber }],
    ),
    notRestored: [
      ...customers.filter((id) => !customerIds.includes(id)).map((id) => missing('customer', id)),
      ...contracts.filter((id) => !contractIds.includes(id)).map((id) => missing('contract', id)),
    ],
  }
}

function missing(kind: TrashKind, id: number): Restored['notRestored'][number] {
  return { kind, id, reason: NOT_IN_TRASH }
}

/** Deletes for good a contract that is in the trash, with its PDF. @throws CONTRACT_NOT_FOUND, also for somebody else's. */
export async function removeContractForGood(ctx: SubscriberContext, { id }: ById): Promise<void> {
  const { removed, pdfs } = await deleteForGood(ctx, sql`k.id = ${id}`)
  if (removed === 0) throw new AppError('CONTRACT_NOT_FOUND')
  removeFilesAfterwards(ctx, pdfs)
}

/**
 * Deletes for good a customer who is in the trash, with their contracts there.
 * @throws CUSTOMER_NOT_FOUND, also for somebody else's.
 */
export async function removeCustomerForGood(ctx: SubscriberContext, { id }: ById): Promise<void> {
  const isDeleted = sql`exists (select from customers c where c.account_id = k.account_id and c.id = ${id}
    and c.deleted_at is not null)`
  const { pdfs } = await deleteForGood(ctx, sql`k.customer_id = ${id} and ${isDeleted}`)
  const removed = await removeDeletedCustomers(ctx, sql`c.id = ${id}`)
  if (removed === 0) throw new AppError('CUSTOMER_NOT_FOUND')
  removeFilesAfterwards(ctx, pdfs)
}

function removeFilesAfterwards({ services, afterCommit }: SubscriberContext, pdfs: readonly string[]): void {
  for (const path of pdfs) afterCommit(() => services.files.remove(path))
}
