import { LockMode } from '@mikro-orm/core'
import sql from 'sql-template-tag'
import { z } from 'zod'
import { MOST_FURTHER_CONTACTS } from '#shared/domain/contact-columns.ts'
import { messagesMoved } from '#shared/domain/contact-exchange.ts'
import { AppError } from '#shared/errors.ts'
import type { AddContact, ChangeContact, MakeFirst } from '#shared/schemas/customer-contacts.ts'
import type { ById } from '#shared/schemas/fields.ts'
import type { ReaderContext, SubscriberContext } from '#server/context.ts'
import { rowOf } from '#server/db/insert.ts'
import { isOvertaken, seen as seenVersion, whatDiffers, type Seen } from '#server/db/seen-version.ts'
import { seeingTrash } from '#server/db/trash.ts'
import { withoutUndefined } from '#server/db/without-undefined.ts'
import { exchangeMessages } from '#server/ledger/exchange-messages.ts'
import { lockUnplanned } from '#server/ledger/schedule.ts'
import { CONTACT_COLUMNS, ContactRow, contactView, FIRST_CONTACT_COLUMNS, type ContactView } from './contact.view.ts'
import { exchangeAnswers, lockContractsOfContact } from './exchange-answers.ts'
import { CustomerContactEntity, type CustomerContact } from '#server/customers/customer-contact.entity.ts'
import { CustomerEntity } from '#server/customers/customer.entity.ts'

/** All contacts of a customer, the first one first. @throws CUSTOMER_NOT_FOUND, also for somebody else's */
export async function listContacts({ read, accountId }: ReaderContext, { id }: ById): Promise<ContactView[]> {
  const statement = sql`
    select ${FIRST_CONTACT_COLUMNS}, (select coalesce(json_agg(row_to_json(o) order by o.id), '[]') from (
      select ${CONTACT_COLUMNS} from customer_contacts x where x.account_id = c.account_id and x.customer_id = c.id) o) as others
    from customers c where c.account_id = ${accountId} and c.id = ${id}`
  const [found] = await read(statement, ContactRow.extend({ others: z.array(ContactRow) }))
  if (!found) throw new AppError('CUSTOMER_NOT_FOUND')
  const { others, ...first } = found
  return [first, ...others].map(contactView)
}

/** @throws CUSTOMER_NOT_FOUND, also for somebody else's; CONTACTS_FULL */
export async function addContact(ctx: SubscriberContext, { id, ...fields }: AddContact): Promise<ContactView> {
  const { write, accountId, services } = ctx
  // Locked first, counted in a second statement: of two concurrent calls, the second counts the first one's contact.
  if (!(await lockCustomer(ctx, id))) throw new AppError('CUSTOMER_NOT_FOUND')
  const remindersFrom = await lockUnplanned(ctx)
  const [counted] = await write(
    sql`select count(*)::int as contacts from customer_contacts where account_id = ${accountId} and customer_id = ${id}`,
    z.object({ contacts: z.int() }),
  )
  if ((counted?.contacts ?? 0) >= MOST_FURTHER_CONTACTS)
    throw new AppError('CONTACTS_FULL', { values: { count: String(MOST_FURTHER_CONTACTS) } })
  const row = { accountId, customerId: id, ...fields, remindersFrom, createdAt: services.now() }
  const [added] = await write(
    sql`insert into customer_contacts ${rowOf(CustomerContactEntity, row)} returning id`,
    z.object({ id: z.int() }),
  )
  return getContact(ctx, { id: added?.id ?? 0 })
}

/**
 * Changes the fields that were sent, if the contact is still as it was seen.
 * @throws CONTACT_NOT_FOUND, also for somebody else's; CONTACT_CHANGED
 */
export async function changeContact(
  ctx: SubscriberContext,
  { id, ...changes }: ChangeContact,
  seen: Seen = {},
): Promise<ContactView> {
  await lockCustomerOf(ctx, { id })
  const remindersFrom = await lockUnplanned(ctx)
  const contact = await lockContact(ctx, { id })
  if (isOvertaken(contact, seen)) throw await contactChanged(ctx, { id, ...changes })
  const gotReminders = getsReminders(contact)
  ctx.em.assign(contact, withoutUndefined(changes))
  if (getsReminders(contact) && !gotReminders) contact.remindersFrom = remindersFrom
  await ctx.em.flush()
  return getContact(ctx, { id })
}

/**
 * If the contact is still as it was seen: its ID may have become that of the former first one. Planned messages to it are then
 * skipped. @throws CONTACT_NOT_FOUND, also for somebody else's; CONTACT_CHANGED
 */
export async function removeContact(ctx: SubscriberContext, { id }: ById, seen: Seen = {}): Promise<void> {
  // Not while another contact is made the first, whose messages may become this one's.
  await lockCustomerOf(ctx, { id })
  const contact = await lockContact(ctx, { id })
  if (isOvertaken(contact, seen)) throw await contactChanged(ctx, { id })
  await ctx.write(sql`delete from customer_contacts where account_id = ${ctx.accountId} and id = ${id}`)
}

/**
 * Makes the contact the customer's first one, whose address, phone and switch for reminders are the customer's own. The
 * former first contact takes its place and its ID, so that a repeat, which names what was seen before, is refused. What each
 * of them was sent, what is planned for them, what they answered, and the links by which they answer stay theirs.
 * Returns all contacts. @throws CONTACT_NOT_FOUND, also for somebody else's; CONTACT_CHANGED
 */
export async function makeFirst(ctx: SubscriberContext, { id, version }: MakeFirst): Promise<ContactView[]> {
  const { em, write, accountId } = ctx
  await seeingTrash(write, () => lockContractsOfContact(write, accountId, id))
  const customerId = await lockCustomerOf(ctx, { id })
  const customer = await em.findOne(CustomerEntity, { id: customerId, accountId }, { refresh: true })
  if (!customer) throw new AppError('CONTACT_NOT_FOUND')
  const remindersFrom = await lockUnplanned(ctx)
  const contact = await lockContact(ctx, { id })
  if (isOvertaken(contact, seenVersion(version))) throw await contactChanged(ctx, { id })
  const { contactName, contactRole, email, phone } = customer
  const moved = messagesMoved(await listContacts(ctx, { id: customerId }), id)
  em.assign(customer, {
    contactName: contact.name,
    contactRole: contact.role,
    email: contact.email,
    phone: contact.phone,
  })
  if (!getsReminders(contact)) contact.remindersFrom = remindersFrom
  em.assign(contact, { name: contactName ?? customer.name, role: contactRole, email, phone, reminders: true })
  await em.flush()
  await seeingTrash(write, async () => {
    // In the order in which whoever sends them writes both.
    await exchangeMessages(write, { accountId, customerId, contactId: id, moved, today: ctx.today })
    await exchangeAnswers(write, { accountId, customerId, contactId: id })
  })
  return listContacts(ctx, { id: customerId })
}

function getsReminders({ reminders, email }: { reminders: boolean; email?: string | null | undefined }): boolean {
  return reminders && Boolean(email)
}

/**
 * Locks the contact's customer, before the account's schedule as whoever changes a customer's tags does. Returns its ID.
 * @throws CONTACT_NOT_FOUND, also if the customer has been deleted meanwhile
 */
async function lockCustomerOf(ctx: SubscriberContext, { id }: ById): Promise<number> {
  const { customerId } = await getContact(ctx, { id })
  if (!(await lockCustomer(ctx, customerId))) throw new AppError('CONTACT_NOT_FOUND')
  return customerId
}

/** Whether there is such a customer, outside the trash. */
async function lockCustomer({ write, accountId }: SubscriberContext, id: number): Promise<boolean> {
  const [locked] = await write(sql`
    select from customers where account_id = ${accountId} and id = ${id} for no key update`)
  return locked !== undefined
}

const LOCKED = { lockMode: LockMode.PESSIMISTIC_WRITE }

/** The row, which nobody else changes or deletes until the transaction ends. */
async function lockContact(ctx: SubscriberContext, { id }: ById): Promise<CustomerContact> {
  const contact = await ctx.em.findOne(CustomerContactEntity, { id, accountId: ctx.accountId }, LOCKED)
  if (!contact) throw new AppError('CONTACT_NOT_FOUND')
  return contact
}

async function contactChanged(ctx: SubscriberContext, { id, ...changes }: ChangeContact): Promise<AppError> {
  return new AppError('CONTACT_CHANGED', { details: whatDiffers(await getContact(ctx, { id }), changes) })
}

async function getContact({ read, accountId }: ReaderContext, { id }: ById): Promise<ContactView> {
  const statement = sql`
    select ${CONTACT_COLUMNS} from customer_contacts x
      join customers c on c.account_id = x.account_id and c.id = x.customer_id
    where x.account_id = ${accountId} and x.id = ${id}`
  const [row] = await read(statement, ContactRow)
  if (!row) throw new AppError('CONTACT_NOT_FOUND')
  return contactView(row)
}
