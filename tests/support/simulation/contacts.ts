import { addContact, changeContact, makeFirst, removeContact } from '#server/contacts/contacts.service.ts'
import { AddContact } from '#shared/schemas/customer-contacts.ts'
import { newAddress } from './addresses.ts'
import { addressNow, isSameOffer } from './answer-rules.ts'
import { fault, textOf } from './fault.ts'
import {
  dayAt,
  daysLater,
  readersOf,
  type ModelAccount,
  type ModelContact,
  type Model,
  type ModelContract,
  type ModelCustomer,
  type ModelLink,
  type Row,
} from './model.ts'
import type { Play } from './play.ts'
import { write } from './write.ts'

const MOST_CONTACTS = 2

/** A customer gets another contact, or one of them is changed, deleted, or made the first. */
export async function changeContacts(play: Play, contract: ModelContract): Promise<void> {
  if (contract.deletion) return
  const { random } = play
  const { account, customer } = contract
  const { contacts } = customer
  if (contacts.length === 0 || (contacts.length < MOST_CONTACTS && random.chance(0.5)))
    return addContactTo(play, contract)
  const contact = random.pick(contacts)
  const { id } = contact
  const share = random.share()
  if (share < 0.5) return change(play, contract, contact)
  if (share < 0.7) {
    await write(account, (ctx) => removeContact(ctx, { id }))
    customer.contacts = contacts.filter((one) => one !== contact)
    return
  }
  await makeContactFirst(play, contract, contact)
}

async function makeContactFirst(play: Play, contract: ModelContract, contact: ModelContact): Promise<void> {
  const { model, owner } = play
  const { account, customer } = contract
  const { id } = contact
  const { rows } = await owner.query<{ version: number }>('select version from customer_contacts where id = $1', [id])
  const [seen] = rows
  if (!seen) throw new Error(`There is no contact ${id}`)
  await write(account, (ctx) => makeFirst(ctx, { id, version: seen.version }))
  const got = getsReminders(contact)
  const addresses = addressesOf(model, contract, contact)
  const { email } = customer
  customer.email = contact.email
  Object.assign(contact, { email, reminders: true })
  await noteMoved(play, contract)
  for (const { row, address, isMoving } of addresses) {
    if (addressNow(customer, row.contactId) === address) continue
    row.hasOtherReader = true
    if (isMoving) fault(model, `message ${row.id} ${textOf(row)}: is no longer to ${address}`, contract.id)
  }
  for (const answer of contract.answers) answer.contactId = exchanged(answer.contactId, id)
  exchangeLinks(model, contract, id)
  if (!got) await judgeFrom(play, account, contact)
}

const ALWAYS_MOVING = new Set(['notice', 'confirmation', 'manual', 'answer', 'reply'])

interface Addressed {
  row: Row
  address: string | undefined
  /** Not for reminders about occasions of which nobody who reads the new first contact's mailbox has one. */
  isMoving: boolean
}

/** Where the customer's messages are to, and whether they stay with their readers when a contact is made the first. */
function addressesOf(model: Model, { id, customer }: ModelContract, contact: ModelContact): Addressed[] {
  const rows = (model.rowsOf.get(id) ?? []).filter(({ recipient }) => recipient === 'customer')
  const mailbox = contact.email?.toLowerCase()
  const reader = readersOf(customer).find(({ email }) => mailbox !== undefined && email?.toLowerCase() === mailbox)
  const given = new Set(rows.filter((row) => row.contactId === (reader ?? contact).id).map(occasionOf))
  return rows.map((row) => {
    const isMoving = ALWAYS_MOVING.has(row.kind) || given.has(occasionOf(row))
    return { row, address: addressNow(customer, row.contactId), isMoving }
  })
}

function occasionOf({ renewalDate, term, kind, offset }: Row): string {
  return [renewalDate, term, kind, offset].join(' ')
}

/** To which contacts messages now are. */
async function noteMoved({ model, owner }: Play, { id }: ModelContract): Promise<void> {
  const { rows } = await owner.query<{ id: number; contactId: number }>(
    'select id::float8 as id, contact_id as "contactId" from reminders where contract_id = $1',
    [id],
  )
  const contactOf = new Map(rows.map((row) => [row.id, row.contactId]))
  for (const row of model.rowsOf.get(id) ?? []) row.contactId = contactOf.get(row.id) ?? row.contactId
}

/** Links stay with whoever got them, unless the other contact has one like it. */
function exchangeLinks(model: Model, contract: ModelContract, id: number): void {
  const links = model.answers.linksOf.get(contract.id) ?? []
  const moved = links.filter((link) => {
    const contactId = exchanged(link.contactId, id)
    const isLike = (one: ModelLink) => one.address === link.address && isSameOffer(one.offer, link.offer)
    return contactId !== link.contactId && !links.some((one) => one.contactId === contactId && isLike(one))
  })
  for (const link of moved) link.contactId = exchanged(link.contactId, id)
}

/** The ID of a contact once another one has changed places with the first. */
function exchanged(contactId: number, other: number): number {
  if (contactId === 0) return other
  return contactId === other ? 0 : contactId
}

/** The customer of the contract gets another contact. */
export async function addContactTo(play: Play, { id: contract, account, customer }: ModelContract): Promise<void> {
  const fields = someFields(play, customer)
  const { id } = await write(account, (ctx) =>
    addContact(ctx, AddContact.parse({ ...fields, id: customer.id, name: 'Contact' })),
  )
  const contact = { ...fields, id, from: '' }
  customer.contacts.push(contact)
  play.model.readBy.delete(contract)
  await judgeFrom(play, account, contact)
}

async function change(
  play: Play,
  { id: contract, account, customer }: ModelContract,
  contact: ModelContact,
): Promise<void> {
  const got = getsReminders(contact)
  const fields = someFields(play, customer)
  await write(account, (ctx) => changeContact(ctx, { id: contact.id, ...fields }))
  Object.assign(contact, fields)
  play.model.readBy.delete(contract)
  if (!got && getsReminders(contact)) await judgeFrom(play, account, contact)
}

/** Now and then with the address of the first contact, not written alike. */
function someFields({ random }: Play, { email }: ModelCustomer): Pick<ModelContact, 'email' | 'reminders'> {
  const address = random.chance(0.15) ? (email?.toUpperCase() ?? null) : newAddress(random)
  return { email: address, reminders: random.chance(0.85) }
}

function getsReminders({ email, reminders }: ModelContact): boolean {
  return reminders && email !== null
}

/** It gets the messages of today, if that has not been planned yet, or of tomorrow. */
async function judgeFrom({ model, owner }: Play, account: ModelAccount, contact: ModelContact): Promise<void> {
  const today = dayAt(model.now, account.timeZone)
  const { rows } = await owner.query<{ from: string }>(
    'select reminders_from::text as "from" from customer_contacts where id = $1',
    [contact.id],
  )
  contact.from = rows[0]?.from ?? ''
  const isToday = contact.from === today
  const isTomorrow = contact.from === daysLater(today, 1) && account.plannedDay >= today
  if (!isToday && !isTomorrow) fault(model, `contact ${contact.id}: gets reminders from ${contact.from}`)
}
