import sql, { empty, type Sql } from 'sql-template-tag'
import { z } from 'zod'
import { addDays, addDaysIfAny, toDay, type Day } from '#shared/domain/day.ts'
import { centsFromAmount } from '#shared/domain/money.ts'
import type { TextKind } from '#shared/domain/reminder-text.ts'
import type { Renews } from '#shared/domain/renews.ts'
import { renewal } from '#shared/domain/renewal.ts'
import { AppError } from '#shared/errors.ts'
import { ContractEntity } from '#server/contracts/contract.entity.ts'
import { IS_OPEN } from '#server/contracts/contract.rows.ts'
import { CustomerEntity } from '#server/customers/customer.entity.ts'
import { columnsOf } from '#server/db/columns.ts'
import type { Read } from '#server/db/database.ts'
import type { ReminderFacts } from '#server/reminders/letters/contract-facts.ts'

/** What a preview of a template is about. */
export interface PreviewContract extends Omit<ReminderFacts, 'recipient' | 'sender'> {
  /** The contract is made up, because there is no open one that renews like this, or none of the chosen customer. */
  isExample: boolean
}

interface Wanted {
  accountId: number
  today: Day
  kind: TextKind
  customerId: number | undefined
}

/** @throws CUSTOMER_NOT_FOUND, also for somebody else's */
export async function previewContract(read: Read, wanted: Wanted): Promise<PreviewContract> {
  const contract = (await nearestContract(read, wanted)) ?? (await exampleFor(read, wanted))
  if (wanted.kind === 'confirmation') return afterRenewal(contract, wanted.today)
  const { renewalDate } = contract
  return { ...contract, today: addDaysIfAny(renewalDate, PRETENDED_DAYS[wanted.kind]) ?? renewalDate }
}

/** How many days before or after the renewal date a preview is written. */
const PRETENDED_DAYS: Record<Exclude<TextKind, 'confirmation'>, number> = {
  reminder: -7,
  reminder_automatic: -7,
  reminder_never: -7,
  follow_up: 3,
  notice: -60,
}

/** As if it were renewed today. */
function afterRenewal(contract: Shown, today: Day): PreviewContract {
  const { contract: next } = renewal(contract, {}, today)
  const { amountCents, renewalCycle } = contract
  return { ...next, today, renewed: { termStart: next.termStart ?? today, before: { amountCents, renewalCycle } } }
}

/** How the contract of a preview renews; a follow-up and a confirmation are about any. */
const RENEWS: Record<TextKind, Renews | undefined> = {
  reminder: 'by_agreement',
  reminder_automatic: 'automatic',
  reminder_never: 'never',
  follow_up: undefined,
  confirmation: undefined,
  notice: 'automatic',
}

const TERMS = columnsOf(ContractEntity, 'k', [
  'id',
  'title',
  'reference',
  'status',
  'amountCents',
  'renewalCycle',
  'startDate',
  'renewalDate',
  'renews',
  'noticePeriod',
  'termNumber',
  'termStart',
  'anchorDate',
  'nextAmountCents',
  'nextCycle',
  'endsOn',
  'heldRenewalDate',
])
const CUSTOMER = columnsOf(CustomerEntity, 'c', ['name', 'email'])

const CustomerRow = z.object(CUSTOMER.fields)
const NearestRow = CustomerRow.extend(TERMS.fields)

interface Shown extends Omit<z.output<typeof NearestRow>, 'id' | 'name'> {
  contractId: number
  customerName: string
  isExample: boolean
}

/** A later renewal date has no next term. */
const LATEST = toDay('2998-12-31')

/** The open contract that renews next, or for follow-ups was due last; otherwise the nearest on the other side of today. */
async function nearestContract(read: Read, { accountId, today, kind, customerId }: Wanted): Promise<Shown | undefined> {
  const upcoming = sql`k.renewal_date >= ${today} order by k.renewal_date, k.id`
  const past = sql`k.renewal_date < ${today} order by k.renewal_date desc, k.id`
  const whose = customerId === undefined ? empty : sql`and k.customer_id = ${customerId}`
  const how = RENEWS[kind] === undefined ? empty : sql`and k.renews = ${RENEWS[kind]}`
  const renewable = kind === 'confirmation' ? sql`and k.renewal_date <= ${LATEST}` : empty
  const one = (side: Sql) =>
    read(
      sql`
      select ${TERMS}, ${CUSTOMER}
      from contracts k join customers c on c.account_id = k.account_id and c.id = k.customer_id
      where k.account_id = ${accountId} and ${IS_OPEN} and k.ends_on is null
        ${whose} ${how} ${renewable} and ${side} limit 1`,
      NearestRow,
    )
  const [first, second] = kind === 'follow_up' ? [past, upcoming] : [upcoming, past]
  const [nearest] = await one(first)
  const found = nearest ?? (await one(second))[0]
  if (!found) return undefined
  const { id: contractId, name: customerName, ...contract } = found
  return { contractId, customerName, ...contract, isExample: false }
}

async function exampleFor(read: Read, { accountId, today, kind, customerId }: Wanted): Promise<Shown> {
  return {
    contractId: 1,
    customerName: customerId === undefined ? 'Example Customer' : await nameOf(read, { accountId, customerId }),
    email: null,
    title: 'Web hosting',
    reference: 'C-1001',
    status: 'active',
    amountCents: centsFromAmount(1200),
    renewalCycle: 'yearly',
    startDate: addDays(today, 7),
    renewalDate: addDays(today, 7),
    renews: RENEWS[kind] ?? 'by_agreement',
    noticePeriod: '3 days',
    termNumber: 1,
    termStart: null,
    anchorDate: null,
    nextAmountCents: centsFromAmount(1260),
    nextCycle: null,
    endsOn: null,
    heldRenewalDate: null,
    isExample: true,
  }
}

async function nameOf(read: Read, { accountId, customerId }: { accountId: number; customerId: number }) {
  const [customer] = await read(
    sql`select ${CUSTOMER} from customers c where account_id = ${accountId} and id = ${customerId}`,
    CustomerRow,
  )
  if (!customer) throw new AppError('CUSTOMER_NOT_FOUND')
  return customer.name
}
