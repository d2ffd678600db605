import sql from 'sql-template-tag'
import { AppError } from '#shared/errors.ts'
import type { SubscriberContext } from '#server/context.ts'
import { lockImports } from './import-record.ts'
import { ImportEntity } from './import.entity.ts'
import type { ImportView } from './import.view.ts'
import { getImport } from './imports.service.ts'
import { sampleData, type SampleData } from './sample-data.ts'

/**
 * Fills an account that has no contracts yet with believable ones. They are an import, and are taken back as one.
 * @throws SAMPLE_DATA_LOADED, ACCOUNT_NOT_EMPTY
 */
export async function loadSample(ctx: SubscriberContext): Promise<ImportView> {
  await lockImports(ctx)
  await refuseSecond(ctx)
  const sample = sampleData(ctx.today)
  const id = await recordSample(ctx, sample)
  await addCustomers(ctx, id, sample)
  await addContracts(ctx, id, sample)
  return getImport(ctx, { id })
}

async function refuseSecond({ read, accountId }: SubscriberContext): Promise<void> {
  const [found] = await read<{ isLoaded: boolean; hasContracts: boolean }>(sql`
    select exists (select from imports where account_id = ${accountId} and is_sample and taken_back_at is null)
        as "isLoaded",
      exists (select from contracts where account_id = ${accountId}) as "hasContracts"`)
  if (found?.isLoaded) throw new AppError('SAMPLE_DATA_LOADED')
  if (found?.hasContracts) throw new AppError('ACCOUNT_NOT_EMPTY')
}

async function recordSample({ em, accountId, services }: SubscriberContext, { customers, contracts }: SampleData) {
  const record = em.create(ImportEntity, {
    accountId,
    kind: 'contracts',
    fileName: 'Sample data',
    sha256: Buffer.alloc(0),
    headings: [],
    rows: contracts.length,
    created: contracts.length,
    createdCustomers: customers.length,
    finishedAt: services.now(),
    isSample: true,
  })
  await em.flush()
  return record.id
}

/** Nobody is written to: notifications are off. A number that the account's own customers have is left to them. */
async function addCustomers({ write, accountId, services }: SubscriberContext, id: number, { customers }: SampleData) {
  await write(sql`
    insert into customers (account_id, import_id, name, address, phone, email, customer_number, send_notifications,
      created_at)
    select ${accountId}, ${id}, name, address, phone, email,
      case when not exists (select from customers own
        where own.account_id = ${accountId} and lower(own.customer_number) = lower("customerNumber"))
        then "customerNumber" end,
      false, least("addedOn" + time '12:00', ${services.now()}::timestamptz)
    from json_to_recordset(${JSON.stringify(customers)}::json) as given (name text, address text, phone text,
      email text, "customerNumber" text, "addedOn" date)`)
}

/** Each has reminders of its own, which are off: not even the owner hears of contracts that do not exist. */
async function addContracts({ write, accountId }: SubscriberContext, id: number, { contracts }: SampleData) {
  await write(sql`
    with added as (
      insert into contracts (account_id, import_id, customer_id, amount_cents, start_date, renewal_cycle, renewal_date,
        status)
      select ${accountId}, ${id}, c.id, "amountCents", "startDate", "renewalCycle", "renewalDate", status
      from json_to_recordset(${JSON.stringify(contracts)}::json) as given ("customerName" text, "amountCents" bigint,
        "startDate" date, "renewalCycle" text, "renewalDate" date, status text)
      join customers c on c.account_id = ${accountId} and c.import_id = ${id} and c.name = "customerName"
      returning id
    )
    insert into contract_reminder_preferences (account_id, contract_id, enable_notifications)
    select ${accountId}, id, false from added`)
}
