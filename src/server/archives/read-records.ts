import { MOST_FURTHER_CONTACTS } from '#shared/domain/contact-columns.ts'
import { MOST_UNDONE } from '#shared/domain/renewal.ts'
import { MOST_TAGS_OF_ACCOUNT, tagKey } from '#shared/domain/tags.ts'
import { SaveContractSettings } from '#shared/schemas/reminders.ts'
import {
  ArchivedContact,
  ArchivedContract,
  ArchivedCustomer,
  ArchivedDecision,
  ArchivedTag,
  ArchivedTerm,
} from './archive-schemas.ts'
import { ArchivedAnswerSettings } from './archived-answers.ts'
import { Once, reading, RowProblem, Tally, type Known, type ReadRow } from './references.ts'

/** Concurrent requests can exceed an account's limit. */
const MOST_TAGS_READ = 2 * MOST_TAGS_OF_ACCOUNT

export function tagsReader({ tags }: Known): ReadRow {
  const keys = new Once<string>()
  const count = new Tally(MOST_TAGS_READ)
  return reading(ArchivedTag, ({ name }) => {
    const key = tagKey(name)
    keys.add(key)
    count.add(0)
    tags.add(name)
    return { name, key }
  })
}

export function customersReader(known: Known): ReadRow {
  const numbers = new Once<string>()
  return reading(ArchivedCustomer, ({ id, ownSendNotifications, ...row }) => {
    const position = known.customers.add(id)
    known.needTags(row.tags)
    if (row.deletedAt === null) known.found.customers += 1
    else {
      known.found.inTrash += 1
      known.deletedCustomers.add(position)
    }
    if (row.customerNumber !== null && row.deletedAt === null) numbers.add(row.customerNumber.toLowerCase())
    return { ...row, sendNotifications: ownSendNotifications, sourceId: id }
  })
}

export function contactsReader({ customers, contacts }: Known): ReadRow {
  const ofCustomer = new Tally(MOST_FURTHER_CONTACTS)
  return reading(ArchivedContact, ({ id, customerId, ...row }) => {
    contacts.add(id)
    const position = customers.need(customerId)
    ofCustomer.add(position)
    return { ...row, customerId: position }
  })
}

export function contractsReader(known: Known): ReadRow {
  return reading(ArchivedContract, (contract) => {
    const { id, term: termNumber, termStart, anchorDate, amount: amountCents, nextAmount, pdfPath, ...row } = contract
    const position = known.contracts.add(id)
    const customerId = known.customers.need(row.customerId)
    known.needTags(row.tags)
    if (row.deletedAt === null) known.found.contracts += 1
    else known.found.inTrash += 1
    if (row.deletedAt === null && known.deletedCustomers.has(customerId))
      throw new RowProblem('Its customer is in the trash')
    known.currentTerms.set(position, termNumber)
    if (pdfPath !== null) known.withPdf.set(position, id)
    return {
      ...row,
      customerId,
      amountCents,
      nextAmountCents: nextAmount ?? null,
      nextCycle: row.nextCycle ?? null,
      termNumber,
      // As the table has them where they say nothing new.
      termStart: termNumber === 1 ? null : termStart,
      anchorDate: anchorDate === row.startDate ? null : anchorDate,
    }
  })
}

export function termsReader({ contracts, currentTerms }: Known): ReadRow {
  const once = new Once<string>()
  return reading(ArchivedTerm, ({ contractId, ...term }) => {
    const position = contracts.need(contractId)
    if (term.number >= (currentTerms.get(position) ?? 0)) throw new RowProblem('It is not before the current term')
    once.add(`${position} ${term.number}`)
    return { ...term, contractId: position }
  })
}

export function decisionsReader({ contracts, customers }: Known): ReadRow {
  const ofContract = new Tally(MOST_UNDONE)
  return reading(ArchivedDecision, ({ contractId, before, after, ...decision }) => {
    const position = contracts.need(contractId)
    ofContract.add(position)
    const withPosition = (columns: typeof before) => ({ ...columns, customerId: customers.find(columns.customerId) })
    return { ...decision, contractId: position, before: withPosition(before), after: withPosition(after) }
  })
}

/** The account's own settings, and those of single contracts. */
export function answerSettingsReader({ contracts }: Known): ReadRow {
  const once = new Once<number>()
  return reading(ArchivedAnswerSettings, ({ contractId, ...settings }) => {
    const position = contractId === null ? null : contracts.need(contractId)
    once.add(position ?? 0)
    return { ...settings, contractId: position }
  })
}

export function contractSettingsReader({ contracts }: Known): ReadRow {
  const once = new Once<number>()
  return reading(SaveContractSettings, ({ id, ...settings }) => {
    const contractId = contracts.need(id)
    once.add(contractId)
    return { ...settings, contractId }
  })
}
