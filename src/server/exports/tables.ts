import type { EntitySchema, InferEntity } from '@mikro-orm/core'
import sql, { raw } from 'sql-template-tag'
import { z } from 'zod'
import type { ExportContracts } from '#shared/schemas/exports.ts'
import type { CustomerFilter, Page } from '#shared/schemas/filters.ts'
import type { ImportKind } from '#shared/schemas/imports.ts'
import type { ReaderContext } from '#server/context.ts'
import { ContractEntity } from '#server/contracts/contract.entity.ts'
import type { ContractView } from '#server/contracts/contract.view.ts'
import { listContracts } from '#server/contracts/contracts.service.ts'
import { CustomerEntity } from '#server/customers/customer.entity.ts'
import type { CustomerView } from '#server/customers/customer.view.ts'
import { listCustomers } from '#server/customers/customers.service.ts'
import { columnsOf, type Columns } from '#server/db/columns.ts'
import type { PageView } from '#server/db/page.ts'
import { IMPORT_COLUMNS, ImportView } from '#server/imports/imports.service.ts'
import { fieldsOf, headingOf, type FieldOf } from '#server/imports/sheet/columns.ts'
import {
  NOTIFICATION_COLUMNS,
  NotificationRow,
  notificationView,
  type NotificationView,
} from '#server/notifications/notification.view.ts'
import { BYTE_ORDER_MARK, csvOf, type CsvCell } from '#server/imports/write-csv.ts'

/** A table of an export: its rows in batches, and its columns in a spreadsheet. */
export interface ExportTable<View> {
  headings: string[]
  cells: (view: View) => CsvCell[]
  batches: () => AsyncGenerator<View[]>
}

/** A table as a CSV file. */
export async function* csvFile<View>({ headings, cells, batches }: ExportTable<View>): AsyncGenerator<string> {
  yield BYTE_ORDER_MARK + csvOf([headings])
  for await (const batch of batches()) yield csvOf(batch.map(cells))
}

/** A table as a JSON array, one row per line. */
export async function* jsonFile<View>({ batches }: Pick<ExportTable<View>, 'batches'>): AsyncGenerator<string> {
  let separator = '[\n'
  for await (const batch of batches()) {
    yield separator + batch.map((row) => JSON.stringify(row)).join(',\n')
    separator = ',\n'
  }
  yield separator === '[\n' ? '[]\n' : '\n]\n'
}

export const BATCH = 1000

/** The customers that match a filter, in its order, with the headings that imports know. */
export function customersTable(ctx: ReaderContext, filter: CustomerFilter): ExportTable<CustomerView> {
  return {
    headings: headingsOf('customers'),
    cells: (customer) =>
      fieldCells('customers', { ...customer, sourceId: customer.id, tags: customer.tags.join(TAG_SEPARATOR) }),
    batches: () => pages((page) => listCustomers(ctx, { ...filter, ...page })),
  }
}

const TAG_SEPARATOR = '; '

const CONTRACT = columnsOf(ContractEntity, 'k', [
  'id',
  // The customer gets no emails about this renewal date.
  'mutedRenewalDate',
])
const CUSTOMER = columnsOf(CustomerEntity, 'c', ['customerNumber'])
const ContractDetails = z.object({ ...CONTRACT.fields, ...CUSTOMER.fields })

interface ExportedContract extends ContractView, z.output<typeof ContractDetails> {}

/** The contracts that match a filter, with their customers' numbers and muted renewal dates. */
export function contractsTable(ctx: ReaderContext, filter: ExportContracts): ExportTable<ExportedContract> {
  return {
    headings: ['ID', ...headingsOf('contracts'), 'PDF', 'Muted Renewal Date'],
    cells: (contract) => [
      contract.id,
      ...fieldCells('contracts', {
        ...contract,
        amount: contract.amount.toFixed(2),
        tags: contract.tags.join(TAG_SEPARATOR),
        termNumber: contract.term,
      }),
      contract.pdfPath !== null,
      contract.mutedRenewalDate,
    ],
    batches: () =>
      withDetails(
        ctx,
        pages((page) => listContracts(ctx, { ...filter, ...page })),
      ),
  }
}

function headingsOf(kind: ImportKind): string[] {
  return fieldsOf(kind).map((field) => headingOf(kind, field))
}

/** Exports have every field of imports; the compiler checks it. */
function fieldCells<Kind extends ImportKind>(kind: Kind, row: Record<FieldOf<Kind>, CsvCell>): CsvCell[] {
  return fieldsOf(kind).map((field) => row[field])
}

export function notificationsTable({ read, accountId }: ReaderContext): ExportTable<NotificationView> {
  return {
    headings: ['ID', 'Type', 'Title', 'Message', 'Read', 'Address', 'Date'],
    cells: ({ id, type, title, message, isRead, actionUrl, createdAt }) => [
      id,
      type,
      title,
      message,
      isRead,
      actionUrl,
      createdAt,
    ],
    batches: () =>
      byId(async (after) => {
        const statement = sql`
          select ${NOTIFICATION_COLUMNS} from notifications n
          where account_id = ${accountId} and cleared_at is null and id > ${after} order by id limit ${BATCH}`
        const rows = await read(statement, NotificationRow)
        return rows.map(notificationView)
      }),
  }
}

export function importsTable({ read, accountId }: ReaderContext): ExportTable<ImportView> {
  return {
    headings: ['ID', 'Kind', 'File', 'Rows', 'Created', 'Customers Created', 'Updated', 'Failed', 'Status', 'Date'],
    cells: ({ id, kind, fileName, rows, created, createdCustomers, updated, failed, status, createdAt }) => [
      id,
      kind,
      fileName,
      rows,
      created,
      createdCustomers,
      updated,
      failed,
      status,
      createdAt,
    ],
    batches: () =>
      byId((after) => {
        const statement = sql`
          select ${IMPORT_COLUMNS} from imports i
          where i.account_id = ${accountId} and i.id > ${after} order by i.id limit ${BATCH}`
        return read(statement, ImportView)
      }),
  }
}

type PlainCell = CsvCell | string[]
type PlainRow = Record<string, PlainCell> & { id: number }

function cellOf(value: PlainCell | undefined): CsvCell {
  return Array.isArray(value) ? value.join('; ') : (value ?? null)
}

/** Columns of an entity as they are, with headings made from their names. */
export function plainTable<Entity extends EntitySchema, Name extends string & keyof InferEntity<Entity>>(
  { read, accountId }: ReaderContext,
  entity: Entity,
  headings: { id: string } & Record<Name, string>,
): ExportTable<PlainRow> {
  const names = Object.keys(headings)
  const columns: Columns<Record<string, PlainCell>> = columnsOf<EntitySchema, string>(entity, 't', names)
  const row = z.object({ ...columns.fields, id: z.int() })
  return {
    headings: Object.values<string>(headings),
    cells: (one) => names.map((name) => cellOf(one[name])),
    batches: () =>
      byId((after) => {
        const statement = sql`
          select ${columns} from ${raw(entity.meta.tableName)} t
          where t.account_id = ${accountId} and t.id > ${after} order by t.id limit ${BATCH}`
        return read(statement, row)
      }),
  }
}

/** Batches of rows in the order of their IDs. */
export async function* byId<Row extends { id: number }>(
  readAfter: (id: number) => Promise<Row[]>,
): AsyncGenerator<Row[]> {
  for (let rows = await readAfter(0); rows.length > 0; rows = await readAfter(rows.at(-1)?.id ?? 0)) yield rows
}

async function* pages<View>(list: (page: Page) => Promise<PageView<View>>): AsyncGenerator<View[]> {
  const read = (after?: string) => list({ limit: BATCH, after, skip: 0 })
  for (let page = await read(); page.last; page = await read(page.last)) yield page.rows
}

/** With their customers' numbers and muted renewal dates. */
export async function* withDetails<View extends ContractView>(
  { read, accountId }: ReaderContext,
  batches: AsyncIterable<View[]>,
) {
  for await (const contracts of batches) {
    const statement = sql`
      select ${CONTRACT}, ${CUSTOMER}
      from contracts k join customers c on c.account_id = k.account_id and c.id = k.customer_id
      where k.account_id = ${accountId} and k.id = any(${contracts.map(({ id }) => id)}::int[])`
    const rows = await read(statement, ContractDetails)
    const details = new Map(rows.map((row) => [row.id, row]))
    yield contracts.map((one) => ({ ...one, ...NO_DETAILS, ...details.get(one.id) }))
  }
}

// The contract was deleted in between.
const NO_DETAILS = { customerNumber: null, mutedRenewalDate: null }
