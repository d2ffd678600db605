import { mailboxOf } from './mail-limits.ts'

/** A contact of a customer. */
export interface ExchangedContact {
  /** 0 is the first contact. */
  id: number
  email: string | null
  /** Whether it gets the customer's messages. The first contact always does. */
  reminders: boolean
}

/**
 * To which contact's ID each contact's messages go when a contact is made the first one, which exchanges the IDs of the two.
 * Messages stay with the mailbox that reads them. Of contacts with one mailbox only the earliest gets messages; where that
 * becomes another one, the two exchange theirs, so that nobody is sent again what they have read, or misses what is planned.
 * Contacts whose messages stay are left out. `contacts` has all contacts of the customer as they were before.
 */
export function messagesMoved(contacts: readonly ExchangedContact[], id: number): Map<number, number> {
  const newIds = new Map([
    [0, id],
    [id, 0],
  ])
  const newId = (old: number) => newIds.get(old) ?? old
  const moved = new Map(contacts.map((contact) => [contact.id, newId(contact.id)]))
  const exchanged = contacts.map((contact) => {
    return { ...contact, id: newId(contact.id), reminders: contact.reminders || newIds.has(contact.id) }
  })
  const readers = readersOf(exchanged)
  for (const [mailbox, before] of readersOf(contacts)) {
    const reader = readers.get(mailbox) ?? newId(before)
    moved.set(before, reader)
    moved.set(newId(reader), newId(before))
  }
  return new Map([...moved].filter(([from, to]) => from !== to))
}

/** By mailbox, the contact that gets the messages. */
function readersOf(contacts: readonly ExchangedContact[]): Map<string, number> {
  const readers = new Map<string, number>()
  for (const { id, email, reminders } of contacts.toSorted((one, other) => one.id - other.id)) {
    if (email === null || (id > 0 && !reminders)) continue
    const mailbox = mailboxOf(email)
    if (!readers.has(mailbox)) readers.set(mailbox, id)
  }
  return readers
}
