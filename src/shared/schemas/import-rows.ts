import * as z from 'zod/mini'
import { contactColumnOf, MOST_FURTHER_CONTACTS, type ContactField } from '#shared/domain/contact-columns.ts'
import { MOST_TERMS, newTermStart } from '#shared/domain/renewal.ts'
import { REFUSALS } from '#shared/errors.ts'
import { ContractChanges, NewContractFields } from './contracts.ts'
import { NewContactFields } from './customer-contacts.ts'
import { NewCustomerFields } from './customers.ts'
import { day, Id, spacedOrNone } from './fields.ts'

/** What a column of a file can be. */
export type ImportField = Exclude<keyof ImportCustomer, 'contacts'> | keyof ImportContract | ContactField

const sourceId = z._default(z.nullable(Id), null)

export const ImportCustomer = z.object({
  ...NewCustomerFields.shape,
  sourceId,
  createdAt: z._default(z.nullable(z.iso.datetime()), null),
  /** The further contacts by their number in the file, which may leave some out. */
  contacts: z._default(
    z.pipe(
      z.array(z.nullable(NewContactFields)).check(z.maxLength(MOST_FURTHER_CONTACTS)),
      z.transform((contacts: (ImportContact | null)[]) => contacts.filter((contact) => contact !== null)),
    ),
    [],
  ),
})
export type ImportCustomer = z.output<typeof ImportCustomer>
export type ImportContact = z.output<typeof NewContactFields>

/** Why the customer of a contract cannot be found. */
export const CUSTOMER_REASONS = {
  unidentified: 'Must identify the customer by number, name, or ID',
  notAnId: 'A customer ID is a whole number. If this column has names, import it as Customer',
  unknown: 'No such customer',
  unnamed: 'No such customer, and it cannot be created without a name',
  ambiguous: 'More than one customer has this name. Use the customer number instead',
} as const

const TERM_NUMBER = `Term Number must be a whole number from 1 to ${MOST_TERMS}`
const TermNumber = z.int(TERM_NUMBER).check(z.minimum(1, TERM_NUMBER), z.maximum(MOST_TERMS, TERM_NUMBER))
const TERM_START = 'Term Start must be after the start date and before the renewal date'

export const ImportContract = z
  .object({
    ...NewContractFields.shape,
    customerId: sourceId,
    customerName: z._default(spacedOrNone(200), null),
    customerNumber: z._default(spacedOrNone(50), null),
    status: z._default(NewContractFields.shape.status, 'active'),
    termNumber: z._default(TermNumber, 1),
    /** The first term has none of its own. */
    termStart: z._default(z.nullable(day('Must be a date')), null),
  })
  .check(
    z.refine((contract) => contract.renewalDate >= contract.startDate, {
      path: ['renewalDate'],
      message: REFUSALS.RENEWAL_BEFORE_START.message,
    }),
    z.refine(isWithinContract, { path: ['termStart'], message: TERM_START }),
    z.refine((contract) => contract.customerId ?? contract.customerName ?? contract.customerNumber, {
      path: ['customerName'],
      message: CUSTOMER_REASONS.unidentified,
    }),
  )
export type ImportContract = z.output<typeof ImportContract>

/** What a row says about a contract that may exist. Blank cells say nothing. */
export const ImportChange = z
  .object({
    ...ContractChanges.shape,
    reference: z.string(),
    customerId: z.optional(Id),
    customerName: z.optional(spacedOrNone(200)),
    customerNumber: z.optional(spacedOrNone(50)),
    termNumber: z.optional(TermNumber),
  })
  .check(
    z.refine(({ startDate, renewalDate }) => !startDate || !renewalDate || renewalDate >= startDate, {
      path: ['renewalDate'],
      message: REFUSALS.RENEWAL_BEFORE_START.message,
    }),
  )
export type ImportChange = z.output<typeof ImportChange>

/** Why a row cannot change the contract with its reference. */
export const UPDATE_REASONS = {
  ambiguous: 'More than one contract has this reference',
  repeated: 'More than one row has this reference',
  otherCustomer: (name: string) => `The contract with this reference is for another customer, ${name}`,
  lacking: (columns: string) => `No contract has this reference, and a new one needs ${columns}`,
  other_term: (term: number) => `This contract is in term ${term} now. Check the dates and the amount`,
  decision: 'An import cannot end or reopen a contract. Do that on its page',
  start_of_renewed: 'This contract has been renewed. Change its start date on its page',
} as const

/** A contract in a later term has had an earlier one. */
function isWithinContract(contract: Parameters<typeof newTermStart>[0]): boolean {
  const termStart = newTermStart(contract)
  return termStart === null || (termStart > contract.startDate && termStart < contract.renewalDate)
}

/** Whether files of this kind can have a column for the field. */
export function isImportField(kind: 'customers' | 'contracts', field: string): boolean {
  if (kind === 'contracts') return Object.hasOwn(ImportContract.shape, field)
  return contactColumnOf(field) !== undefined || (field !== 'contacts' && Object.hasOwn(ImportCustomer.shape, field))
}

/** Why a cell cannot be read, before any rule is checked. */
export const CELL_REASONS = {
  blank: 'Must not be blank',
  text: 'Must be text',
  day: 'Must be a date, such as 2026-01-31',
  amount: 'Must be an amount, such as 1234.50',
  flag: 'Must be yes or no',
  id: 'Must be a whole number',
  instant: 'Must be a date, such as 2026-01-31',
  tags: 'Must be tags, separated by semicolons',
  cycle: 'Cycle must be monthly, quarterly, or yearly',
  status: 'Status must be pending, active, expired, or cancelled',
  renews: 'Renews must be automatic, by_agreement, or never',
  damaged: 'Contains unreadable characters',
  error: 'The spreadsheet has an error in this cell',
  tooManyCells: 'The row has more values than there are column headings',
} as const
