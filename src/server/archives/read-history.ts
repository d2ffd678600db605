import { MOST_NOTES } from '#shared/schemas/activity.ts'
import { foldText } from '#shared/domain/fold-text.ts'
import { mailboxOf } from '#shared/domain/mail-limits.ts'
import { MOST_VIEWS } from '#shared/schemas/views.ts'
import {
  ArchivedBounce,
  ArchivedChange,
  ArchivedClosedAddress,
  ArchivedComplaint,
  ArchivedMailStop,
  ArchivedMessage,
  ArchivedNote,
  ArchivedView,
} from './archive-schemas.ts'
import { ArchivedAnswer } from './archived-answers.ts'
import { Gone, Once, reading, Tally, type Known, type ReadRow } from './references.ts'

/** Several times as many as are kept: the oldest are forgotten only now and then. */
const MOST_CHANGES = 5000
/** Of things that no longer exist, all together. */
const MOST_CHANGES_OF_GONE = 200_000
/** Of one contract: planning reads all that are about its term. A few readers get some 20 messages a term each. */
const MOST_MESSAGES = 5000
/** Of contracts that no longer exist, all together. */
const MOST_MESSAGES_OF_GONE = 200_000

/** A view of a customer who is gone is left out: without that filter it would be another view. */
export function viewsReader({ customers, found }: Known): ReadRow {
  const keys = new Once<string>()
  const count = new Tally(MOST_VIEWS)
  return reading(ArchivedView, ({ name, search: { customerId, ...search }, position }) => {
    const key = foldText(name)
    keys.add(key)
    count.add(0)
    const view = { name, key, sortPosition: position }
    if (customerId === undefined) return { ...view, search }
    const customer = customers.find(Number(customerId))
    if (customer !== null) return { ...view, search: { ...search, customerId: customer } }
    found.leftOutViews += 1
    return undefined
  })
}

export function notesReader({ customers, contracts }: Known): ReadRow {
  const ofSubject = new Tally(MOST_NOTES)
  return reading(ArchivedNote, ({ customerId, contractId, ...note }) => {
    const customer = customerId === null ? null : customers.need(customerId)
    const contract = contractId === null ? null : contracts.need(contractId)
    ofSubject.add(customer ?? -(contract ?? 0))
    return { ...note, customerId: customer, contractId: contract }
  })
}

export function changesReader({ customers, contracts }: Known): ReadRow {
  const [goneCustomers, goneContracts] = [new Gone(), new Gone()]
  const [ofCustomer, ofContract, ofGone] = [
    new Tally(MOST_CHANGES),
    new Tally(MOST_CHANGES),
    new Tally(MOST_CHANGES_OF_GONE),
  ]
  type Columns = Readonly<Record<string, unknown>>
  const withPosition = (columns: Columns) => {
    if (typeof columns['customer_id'] !== 'number') return columns
    return { ...columns, customer_id: customers.find(columns['customer_id']) }
  }
  return reading(ArchivedChange, ({ about, aboutId, before, after, ...change }) => {
    const isCustomer = about === 'customer'
    const position = (isCustomer ? customers : contracts).find(aboutId)
    const subject = position ?? (isCustomer ? goneCustomers : goneContracts).numberOf(aboutId)
    const tally = isCustomer ? ofCustomer : ofContract
    tally.add(subject)
    if (position === null) ofGone.add(0)
    return { ...change, about, aboutId: subject, before: withPosition(before), after: after && withPosition(after) }
  })
}

/** Messages that were waiting are sent by the account that the archive comes from, if it still exists. */
export function messagesReader({ customers, contracts, contacts, messages, found }: Known): ReadRow {
  const gone = new Gone()
  const [ofContract, ofGone] = [new Tally(MOST_MESSAGES), new Tally(MOST_MESSAGES_OF_GONE)]
  return reading(ArchivedMessage, ({ id, contactId, offset, day, reasonKey, ...message }) => {
    messages.add(id)
    const contract = contracts.find(message.contractId)
    if (contract === null) ofGone.add(0)
    else ofContract.add(contract)
    const isWaiting = message.state === 'planned' || message.state === 'sending'
    if (isWaiting) found.waitingMessages += 1
    return {
      ...message,
      contractId: contract,
      customerId: customers.find(message.customerId),
      contactId: contactId === 0 ? 0 : (contacts.find(contactId) ?? gone.numberOf(contactId)),
      offsetDays: offset,
      dueOn: day,
      state: isWaiting ? 'skipped' : message.state,
      reason: isWaiting ? 'moved' : reasonKey,
    }
  })
}

/** An answer of a contract that no longer exists is history; one that waits still does. */
export function answersReader({ customers, contracts, contacts }: Known): ReadRow {
  const [once, gone] = [new Once<string>(), new Gone()]
  const [ofContract, ofGone] = [new Tally(MOST_MESSAGES), new Tally(MOST_MESSAGES_OF_GONE)]
  return reading(ArchivedAnswer, ({ contractId, customerId, contactId, offer, ...answer }) => {
    const contract = contracts.find(contractId)
    if (contract === null) ofGone.add(0)
    else {
      ofContract.add(contract)
      once.add(`${contract} ${answer.termNumber} ${answer.number}`)
    }
    return {
      ...answer,
      contractId: contract,
      customerId: customers.find(customerId),
      contactId: contactId === 0 ? 0 : (contacts.find(contactId) ?? gone.numberOf(contactId)),
      linkId: null,
      isImported: true,
      offer: { ...offer, customerId: customers.find(offer.customerId) },
    }
  })
}

export function complaintsReader({ messages }: Known): ReadRow {
  const once = new Once<number>()
  return reading(ArchivedComplaint, ({ reminderId, ...complaint }) => {
    const position = messages.need(reminderId)
    once.add(position)
    return { ...complaint, reminderId: position }
  })
}

export function bouncesReader(): ReadRow {
  const current = new Once<string>()
  return reading(ArchivedBounce, (bounce) => {
    if (bounce.clearedAt === null) current.add(bounce.address)
    return bounce
  })
}

export function closedAddressesReader(): ReadRow {
  const mailboxes = new Once<string>()
  return reading(ArchivedClosedAddress, (closed) => {
    mailboxes.add(mailboxOf(closed.address))
    return closed
  })
}

/** Only the operator lifts a stop, so that one that was lifted elsewhere says nothing. */
export function mailStopsReader(): ReadRow {
  const once = new Once<string>()
  return reading(ArchivedMailStop, ({ liftedAt, ...stop }) => {
    if (liftedAt !== null) return undefined
    once.add('current')
    return stop
  })
}
