import sql from 'sql-template-tag'
import { z } from 'zod'
import type { ContractStatus } from '#shared/domain/contract-status.ts'
import { addDays, addMonths, type Day } from '#shared/domain/day.ts'
import { centsFromAmount, type Cents } from '#shared/domain/money.ts'
import { monthsOf, nextRenewal, type RenewalCycle } from '#shared/domain/renewal-cycle.ts'
import { AppError } from '#shared/errors.ts'
import type { SubscriberContext } from '#server/context.ts'
import { ContractEntity } from '#server/contracts/contract.entity.ts'
import { CustomerEntity } from '#server/customers/customer.entity.ts'
import { refuseMoreRows } from '#server/customers/row-quota.ts'
import { refuseForNow } from '#server/customers/taken-number.ts'
import { NOT_DELETED } from '#server/db/trash.ts'
import { planningOfNew } from '#server/ledger/schedule.ts'
import { ContractReminderPreferencesEntity } from '#server/reminders/reminder-preferences.entity.ts'
import { ImportEntity } from './import.entity.ts'
import { getImport, lockImports, type ImportView } from './imports.service.ts'

/**
 * Fills an account without contracts with made-up ones. They are an import, and are undone like one.
 * @throws SAMPLE_DATA_LOADED, ACCOUNT_NOT_EMPTY, ACCOUNT_FULL, and ACCOUNT_BUSY if another customer is given the
 * number of one of them at the same time
 */
export async function loadSample(ctx: SubscriberContext): Promise<ImportView> {
  await lockImports(ctx)
  await refuseSecond(ctx)
  const sample = sampleData(ctx.today)
  const id = await recordSample(ctx, sample)
  const customerIds = await addCustomers(ctx, id, sample)
  await addContracts(ctx, id, { ...sample, customerIds })
  await refuseMoreRows(ctx)
  return getImport(ctx, { id })
}

async function refuseSecond({ read, accountId }: SubscriberContext): Promise<void> {
  const statement = sql`
    select exists (select from imports where account_id = ${accountId} and is_sample and undone_at is null)
        as "isLoaded",
      exists (select from contracts where account_id = ${accountId}) as "hasContracts"`
  const [found] = await read(statement, LoadedRow)
  if (found?.isLoaded) throw new AppError('SAMPLE_DATA_LOADED')
  if (found?.hasContracts) throw new AppError('ACCOUNT_NOT_EMPTY')
}

const LoadedRow = z.object({ isLoaded: z.boolean(), hasContracts: z.boolean() })

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

/**
 * Notifications are off: nobody gets an email. A customer number that the account already uses is left out. Returns the
 * ids by name.
 */
async function addCustomers(
  { em, read, accountId, services }: SubscriberContext,
  importId: number,
  sample: SampleData,
) {
  const numbers = sample.customers.map(({ customerNumber }) => customerNumber.toLowerCase())
  const statement = sql`
    select lower(customer_number) as number from customers
    where account_id = ${accountId} and ${NOT_DELETED} and lower(customer_number) = any(${numbers}::text[])`
  const taken = (await read(statement, NumberRow)).map(({ number }) => number)
  const customers = sample.customers.map(({ addedOn, customerNumber, ...customer }) =>
    em.create(CustomerEntity, {
      ...customer,
      accountId,
      importId,
      customerNumber: taken.includes(customerNumber.toLowerCase()) ? null : customerNumber,
      sendNotifications: false,
      createdAt: earlier(new Date(`${addedOn}T12:00:00Z`), services.now()),
    }),
  )
  await em.flush().catch(refuseForNow)
  return new Map(customers.map(({ name, id }) => [name, id]))
}

const NumberRow = z.object({ number: z.string() })

function earlier(one: Date, other: Date): Date {
  return one < other ? one : other
}

/** Their reminders are off: the owner gets no notifications about contracts that do not exist. */
async function addContracts(
  ctx: SubscriberContext,
  importId: number,
  { contracts, customerIds }: SampleData & { customerIds: Map<string, number> },
) {
  const { em, write, accountId, services } = ctx
  const now = services.now()
  const added = contracts.map(({ customerName, ...terms }) => {
    const customerId = customerIds.get(customerName)
    if (customerId === undefined) throw new Error(`The sample data have no customer ${customerName}`)
    return em.create(ContractEntity, { ...terms, accountId, importId, customerId, createdAt: now, remindersSince: now })
  })
  await em.flush()
  for (const { id } of added)
    em.create(ContractReminderPreferencesEntity, { accountId, contractId: id, enableNotifications: false })
  await em.flush()
  await write(planningOfNew(ctx, contracts))
}

interface SampleCustomer {
  name: string
  address: string
  phone: string
  /** At a domain that is reserved for examples. */
  email: string
  customerNumber: string
  addedOn: Day
}

interface SampleContract {
  customerName: string
  amountCents: Cents
  startDate: Day
  renewalCycle: RenewalCycle
  renewalDate: Day
  status: ContractStatus
}

interface SampleData {
  customers: SampleCustomer[]
  contracts: SampleContract[]
}

/** Customers of a small office; as far as we know, no company has these names. */
const DIRECTORY = [
  ['Alder & Finch Architects', '14 Quarry Street, Portland, ME 04101', '(207) 555-0141', 'alder-finch'],
  ['Bellweather Bakery', '92 Mill Lane, Burlington, VT 05401', '(802) 555-0162', 'bellweather'],
  ['Copperline Plumbing', '501 Foundry Road, Pittsburgh, PA 15222', '(412) 555-0117', 'copperline'],
  ['Driftwood Dental', '8 Harbor Square, Wilmington, NC 28401', '(910) 555-0185', 'driftwood'],
  ['Eastgate Fitness Club', '77 Eastgate Avenue, Columbus, OH 43215', '(614) 555-0108', 'eastgate'],
  ['Fernhill Veterinary', '230 Fernhill Drive, Madison, WI 53703', '(608) 555-0174', 'fernhill'],
  ['Goldfinch Catering', '6 Market Row, Savannah, GA 31401', '(912) 555-0129', 'goldfinch'],
  ['Hollis & Ray Law', '1200 Commerce Street, Dallas, TX 75202', '(214) 555-0193', 'hollis-ray'],
  ['Inkwell Print Shop', '45 Press Way, Omaha, NE 68102', '(402) 555-0136', 'inkwell'],
  ['Juniper Landscaping', '3100 Valley Road, Salem, OR 97302', '(503) 555-0158', 'juniper'],
] as const

type Row = readonly [
  customer: number,
  amount: number,
  cycle: RenewalCycle,
  /** Terms from the start date to the renewal date. */
  terms: number,
  daysLeft: number,
  status: ContractStatus,
]

/** Some are overdue, some due soon, and there are enough others to give every chart a shape. */
const ROWS: readonly Row[] = [
  [0, 4800, 'yearly', 2, 5, 'active'],
  [0, 350, 'monthly', 4, 12, 'active'],
  [1, 1260, 'quarterly', 3, -4, 'active'],
  [1, 180, 'monthly', 9, 21, 'active'],
  [2, 2400, 'yearly', 1, 27, 'active'],
  [2, 690, 'quarterly', 1, 58, 'active'],
  [3, 2400, 'yearly', 1, 214, 'active'],
  [3, 420, 'monthly', 3, 2, 'active'],
  [4, 980, 'quarterly', 5, 74, 'active'],
  [4, 3600, 'yearly', 1, -11, 'active'],
  [5, 3600, 'yearly', 1, 243, 'active'],
  [5, 249.5, 'monthly', 6, 17, 'active'],
  [6, 1875, 'quarterly', 2, 40, 'active'],
  [6, 900, 'yearly', 1, -96, 'expired'],
  [7, 4800, 'yearly', 1, 275, 'active'],
  [7, 640, 'monthly', 2, 9, 'active'],
  [8, 6900, 'yearly', 1, 338, 'active'],
  [8, 310, 'quarterly', 2, -61, 'expired'],
  [9, 5750, 'yearly', 1, 304, 'active'],
  [9, 1120, 'quarterly', 1, 83, 'pending'],
  [9, 560, 'monthly', 5, -20, 'cancelled'],
  [2, 8250, 'yearly', 1, 361, 'active'],
]

/** The sample data relative to today; the same for the same day. */
function sampleData(today: Day): SampleData {
  const contracts = ROWS.map((row) => contractOf(row, today))
  const customers = DIRECTORY.map(([name, address, phone, mailbox], index) => ({
    name,
    address,
    phone,
    email: `${mailbox}@example.com`,
    customerNumber: `SAMPLE-${String(index + 1).padStart(2, '0')}`,
    addedOn: firstStart(name, contracts, today),
  }))
  return { customers, contracts }
}

/** Counts back to the start and forward again, so that the renewal has the start's day of the month. */
function contractOf([customer, amount, renewalCycle, terms, daysLeft, status]: Row, today: Day): SampleContract {
  const startDate = addMonths(addDays(today, daysLeft), -terms * monthsOf(renewalCycle))
  const renewalDate = nextRenewal({ startDate, renewalDate: startDate, renewalCycle }, terms)
  const customerName = DIRECTORY[customer]?.[0] ?? ''
  return { customerName, amountCents: centsFromAmount(amount), startDate, renewalCycle, renewalDate, status }
}

function firstStart(name: string, contracts: SampleContract[], today: Day): Day {
  const starts = contracts.filter(({ customerName }) => customerName === name).map(({ startDate }) => startDate)
  return [today, ...starts].toSorted()[0] ?? today
}
