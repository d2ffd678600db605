import sql from 'sql-template-tag'
import { z } from 'zod'
import type { ContractFilter, CustomerFilter, Page } from '#shared/schemas/filters.ts'
import type { ReaderContext } from '#server/context.ts'
import { ContractEntity } from '#server/contracts/contract.entity.ts'
import type { ContractView } from '#server/contracts/contract.view.ts'
import { listContracts } from '#server/contracts/contracts.service.ts'
import { CustomerEntity } from '#server/customers/customer.entity.ts'
import type { CustomerView } from '#server/customers/customer.view.ts'
import { listCustomers } from '#server/customers/customers.service.ts'
import { columnsOf } from '#server/db/columns.ts'
import type { PageView } from '#server/db/page.ts'
import { IMPORT_COLUMNS, ImportView } from '#server/imports/import.view.ts'
import {
  NOTIFICATION_COLUMNS,
  NotificationRow,
  notificationView,
  type NotificationView,
} from '#server/notifications/notification.view.ts'
import { BYTE_ORDER_MARK, csvOf, type CsvCell } from '#server/imports/write-csv.ts'

/** One table of an export: its rows in batches, and how a spreadsheet shows them. */
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

/** A table as a JSON array, a row a line. */
export async function* jsonFile<View>({ batches }: Pick<ExportTable<View>, 'batches'>): AsyncGenerator<string> {
  let separator = '[\n'
  for await (const batch of batches()) {
    yield separator + batch.map((row) => JSON.stringify(row)).join(',\n')
    separator = ',\n'
  }
  yield separator === '[\n' ? '[]\n' : '\n]\n'
}

export const BATCH = 1000

/** The customers that the list's filter lets through, in its order, under the headings that an import takes. */
export function customersTable(ctx: ReaderContext, filter: CustomerFilter): ExportTable<CustomerView> {
  return {
    headings: ['ID', 'Name', 'Address', 'Phone', 'Customer Number', 'Email', 'Notifications', 'Date Added'],
    cells: ({ id, name, address, phone, customerNumber, email, sendNotifications, createdAt }) => [
      id,
      name,
      address,
      phone,
      customerNumber,
      email,
      sendNotifications,
      createdAt,
    ],
    batches: () => pages((page) => listCustomers(ctx, { ...filter, ...page })),
  }
}

const CONTRACT = columnsOf(ContractEntity, 'k', [
  'id',
  // The customer is not written to about this renewal date.
  'mutedRenewalDate',
])
const CUSTOMER = columnsOf(CustomerEntity, 'c', ['customerNumber'])
const ContractDetails = z.object({ ...CONTRACT.fields, ...CUSTOMER.fields })

interface ExportedContract extends ContractView, z.output<typeof ContractDetails> {}

/** The same for contracts, each with the number of its customer and the renewal date that is muted. */
export function contractsTable(ctx: ReaderContext, filter: ContractFilter): ExportTable<ExportedContract> {
  return {
    headings: [
      'ID',
      'Customer ID',
      'Customer',
      'Customer Number',
      'Amount',
      'Start Date',
      'Renewal Cycle',
      'Renewal Date',
      'Status',
      'PDF',
      'Muted Renewal Date',
    ],
    cells: ({ id, customerId, customerName, customerNumber, amount, ...term }) => [
      id,
      customerId,
      customerName,
      customerNumber,
      amount.toFixed(2),
      term.startDate,
      term.renewalCycle,
      term.renewalDate,
      term.status,
      term.pdfPath !== null,
      term.mutedRenewalDate,
    ],
    batches: () =>
      withDetails(
        ctx,
        pages((page) => listContracts(ctx, { ...filter, ...page })),
      ),
  }
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
    headings: ['ID', 'Kind', 'File', 'Rows', 'Created', 'Customers Created', 'Failed', 'Status', 'Date'],
    cells: ({ id, kind, fileName, rows, created, createdCustomers, failed, status, createdAt }) => [
      id,
      kind,
      fileName,
      rows,
      created,
      createdCustomers,
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

/** Batches of rows in the order of their ids, each read after the last of the one before. */
export async function* byId<Row extends { id: number }>(
  readAfter: (id: number) => Promise<Row[]>,
): AsyncGenerator<Row[]> {
  for (let rows = await readAfter(0); rows.length > 0; rows = await readAfter(rows.at(-1)?.id ?? 0)) yield rows
}

async function* pages<View>(list: (page: Page) => Promise<PageView<View>>): AsyncGenerator<View[]> {
  const read = (after?: string) => list({ limit: BATCH, after, skip: 0 })
  for (let page = await read(); page.last; page = await read(page.last)) yield page.rows
}

async function* withDetails({ read, accountId }: ReaderContext, batches: AsyncIterable<ContractView[]>) {
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

// Of a contract that was deleted in between.
const NO_DETAILS = { customerNumber: null, mutedRenewalDate: null }
