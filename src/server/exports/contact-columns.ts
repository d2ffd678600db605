import sql, { empty, type Sql } from 'sql-template-tag'
import { z } from 'zod'
import { contactColumnsUpTo, contactHeading } from '#shared/domain/contact-columns.ts'
import type { CustomerFilter } from '#shared/schemas/filters.ts'
import type { ReaderContext } from '#server/context.ts'
import { CustomerContactEntity } from '#server/customers/customer-contact.entity.ts'
import { customerConditions, customersOf } from '#server/customers/customer.rows.ts'
import { customerMatches } from '#server/customers/customer.search.ts'
import type { CustomerView } from '#server/customers/customer.view.ts'
import { columnsOf } from '#server/db/columns.ts'
import { customersTable, type ExportTable } from './tables.ts'

const CONTACT = columnsOf(CustomerContactEntity, 'x', ['customerId', 'name', 'role', 'email', 'phone', 'reminders'])
const ContactRow = z.object(CONTACT.fields)
type ContactRow = z.output<typeof ContactRow>

interface CustomerWithContacts extends CustomerView {
  /** Those besides the first. */
  contacts: ContactRow[]
}

/**
 * The customers that match a filter, with columns for their contacts besides the first: as many as the customer with the
 * most of them needs.
 */
export async function customersWithContacts(
  ctx: ReaderContext,
  filter: CustomerFilter,
): Promise<ExportTable<CustomerWithContacts>> {
  const customers = customersTable(ctx, filter)
  const columns = contactColumnsUpTo(1 + (await mostContacts(ctx, filter)))
  return {
    headings: [...customers.headings, ...columns.map(contactHeading)],
    cells: (customer) => [
      ...customers.cells(customer),
      ...columns.map(({ number, part }) => customer.contacts[number - 2]?.[part] ?? null),
    ],
    async *batches() {
      for await (const batch of customers.batches()) {
        const contacts = columns.length > 0 ? await contactsOf(ctx, batch) : new Map<number, ContactRow[]>()
        yield batch.map((customer) => ({ ...customer, contacts: contacts.get(customer.id) ?? [] }))
      }
    },
  }
}

async function mostContacts({ read, accountId, caller }: ReaderContext, filter: CustomerFilter): Promise<number> {
  const statement = sql`
    select coalesce(max(contacts), 0)::int as most from (
      select count(*) as contacts from customer_contacts x
      where x.account_id = ${accountId} and x.customer_id in (select c.id ${matching(accountId, filter, caller.timeZone)})
      group by x.customer_id) counted`
  const [counted] = await read(statement, z.object({ most: z.int() }))
  return counted?.most ?? 0
}

function matching(accountId: number, filter: CustomerFilter, timeZone: string): Sql {
  const { search } = filter
  const found = search ? sql`and ${customerMatches(search, { nameAlone: false })}` : empty
  return sql`${customersOf(accountId)} ${customerConditions(accountId, filter, timeZone)} ${found}`
}

async function contactsOf({ read, accountId }: ReaderContext, customers: readonly CustomerView[]) {
  const ids = customers.map(({ id }) => id)
  const statement = sql`
    select ${CONTACT} from customer_contacts x
    where x.account_id = ${accountId} and x.customer_id = any(${ids}::int[]) order by x.customer_id, x.id`
  return Map.groupBy(await read(statement, ContactRow), ({ customerId }) => customerId)
}
