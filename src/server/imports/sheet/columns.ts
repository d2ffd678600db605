import type { ImportContract, ImportCustomer, ImportKind } from '#shared/schemas/imports.ts'
import type { CellKind } from './cells.ts'

interface Field {
  /** The heading in templates and exports. */
  heading: string
  /** What the template has there; it has no column for a field without one. */
  example?: string
  kind: CellKind
  /** Other headings for it, in the form of `plainHeading`; the first one that the file has is used. */
  names: string
  isRequired?: boolean
}

export interface Column {
  field: string
  kind: CellKind
  isRequired: boolean
  /** The heading in the file. */
  heading: string
  index: number
}

export interface Columns {
  found: Column[]
  /** Required fields that have no column, by their headings in templates. */
  missing: string[]
  /** Headings that are no field. */
  ignored: string[]
}

const CUSTOMER_NUMBER = 'customernumber customerno customernr customercode clientnumber clientno'

const CUSTOMER_FIELDS: Record<keyof ImportCustomer, Field> = {
  sourceId: { heading: 'ID', kind: 'id', names: 'id customerid clientid' },
  name: {
    heading: 'Name',
    example: 'Acme Ltd',
    kind: 'text',
    isRequired: true,
    names: `
      name customername customer clientname client companyname company fullname businessname business
      organization organisation accountname displayname`,
  },
  address: {
    heading: 'Address',
    example: '1 Main Street, Springfield',
    kind: 'text',
    names: 'address fulladdress streetaddress billingaddress mailingaddress postaladdress street',
  },
  phone: {
    heading: 'Phone',
    example: '555 0142',
    kind: 'text',
    names: `
      phone phonenumber phoneno telephone telephonenumber tel mobile mobilephone mobilenumber cell
      cellphone contactnumber workphone businessphone`,
  },
  customerNumber: {
    heading: 'Customer Number',
    example: 'C-1001',
    kind: 'text',
    names: `${CUSTOMER_NUMBER} accountnumber accountno number no reference ref`,
  },
  email: {
    heading: 'Email',
    example: 'office@acme.example',
    kind: 'text',
    names: 'email emailaddress mail contactemail primaryemail',
  },
  sendNotifications: {
    heading: 'Notifications',
    example: 'Yes',
    kind: 'flag',
    names: `
      notifications sendnotifications notificationsenabled emailnotifications notify sendreminders
      reminders`,
  },
  createdAt: {
    heading: 'Date Added',
    kind: 'instant',
    names: 'dateadded createdat datecreated createddate created added customersince',
  },
}

const CONTRACT_FIELDS: Record<keyof ImportContract, Field> = {
  customerId: { heading: 'Customer ID', kind: 'id', names: 'customerid clientid' },
  customerName: {
    heading: 'Customer',
    example: 'Acme Ltd',
    kind: 'text',
    names: 'customername customer clientname client companyname company name accountname',
  },
  customerNumber: {
    heading: 'Customer Number',
    example: 'C-1001',
    kind: 'text',
    names: `${CUSTOMER_NUMBER} accountnumber accountno`,
  },
  amount: {
    heading: 'Amount',
    example: '1200.00',
    kind: 'amount',
    isRequired: true,
    names: `
      amount contractamount amountusd contractvalue value totalamount total price contractprice fee cost`,
  },
  startDate: {
    heading: 'Start Date',
    example: '2026-01-31',
    kind: 'day',
    isRequired: true,
    names: `
      startdate start starts startson startingdate begindate begin contractstart contractstartdate
      effectivedate from datefrom`,
  },
  renewalCycle: {
    heading: 'Renewal Cycle',
    example: 'yearly',
    kind: 'cycle',
    isRequired: true,
    names: `
      renewalcycle cycle billingcycle renewalfrequency billingfrequency frequency renewalperiod
      billingperiod period interval billinginterval recurrence`,
  },
  renewalDate: {
    heading: 'Renewal Date',
    example: '2027-01-31',
    kind: 'day',
    isRequired: true,
    names: `
      renewaldate nextrenewaldate nextrenewal renewal renewson renews renewaldue duedate due enddate end
      ends endson contractend contractenddate expirydate expirationdate expires expireson to dateto`,
  },
  status: { heading: 'Status', example: 'active', kind: 'status', names: 'status contractstatus state' },
}

interface RowOf {
  customers: ImportCustomer
  contracts: ImportContract
}
export type FieldOf<Kind extends ImportKind> = keyof RowOf[Kind]

const FIELDS: { [Kind in ImportKind]: Record<FieldOf<Kind>, Field> } = {
  customers: CUSTOMER_FIELDS,
  contracts: CONTRACT_FIELDS,
}
/** Anything longer is not a heading, and too expensive to compare. */
const LONGEST_HEADING = 100
const CUSTOMER_COLUMNS = ['customerId', 'customerName', 'customerNumber']

/** Finds the column of each field by the headings of a file. */
export function findColumns(kind: ImportKind, headings: string[]): Columns {
  const indexes = indexesOf(headings)
  const found = Object.entries(FIELDS[kind]).flatMap(([field, { kind: cells, isRequired = false, names }]) => {
    const name = namesOf(names).find((one) => indexes.has(one))
    const index = indexes.get(name ?? '')
    return index === undefined ? [] : [{ field, kind: cells, isRequired, heading: headings[index] ?? '', index }]
  })
  const used = new Set(found.map((column) => column.index))
  return {
    found,
    missing: missingOf(kind, new Set(found.map((column) => column.field))),
    ignored: headings.filter((heading, index) => heading !== '' && !used.has(index)),
  }
}

/** Whether the heading belongs to a field. */
export function isKnownHeading(kind: ImportKind, heading: string): boolean {
  return KNOWN[kind].has(plainHeading(heading))
}

/** The fields of a row, in the order that their columns have in templates and exports. */
export function fieldsOf<Kind extends ImportKind>(kind: Kind): FieldOf<Kind>[] {
  // oxlint-disable-next-line typescript/consistent-type-assertions -- the table has these keys and no others
  return Object.keys(FIELDS[kind]) as FieldOf<Kind>[]
}

/** The headings of a template, and one row as an example. */
export function templateRows(kind: ImportKind): string[][] {
  const fields = Object.values<Field>(FIELDS[kind]).filter(({ example }) => example !== undefined)
  return [fields.map(({ heading }) => heading), fields.map(({ example = '' }) => example)]
}

/** The heading of a field in templates and exports. */
export function headingOf(kind: ImportKind, field: string): string {
  return new Map(Object.entries(FIELDS[kind])).get(field)?.heading ?? field
}

/** Without case, accents, spaces and punctuation: "Customer No." is customerno, "Customer #" is customernumber. */
export function plainHeading(heading: string): string {
  if (heading.length > LONGEST_HEADING) return ''
  return heading
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll('#', 'number')
    .replaceAll(/[^a-z0-9]/g, '')
}

const KNOWN: Record<ImportKind, Set<string>> = {
  customers: new Set(Object.values(CUSTOMER_FIELDS).flatMap(({ names }) => namesOf(names))),
  contracts: new Set(Object.values(CONTRACT_FIELDS).flatMap(({ names }) => namesOf(names))),
}

function namesOf(names: string): string[] {
  return names.trim().split(/\s+/)
}

/** The first index of each heading; blank ones are left out. */
function indexesOf(headings: string[]): Map<string, number> {
  const indexes = new Map<string, number>()
  for (const [index, heading] of headings.entries()) {
    const plain = plainHeading(heading)
    if (plain !== '' && !indexes.has(plain)) indexes.set(plain, index)
  }
  return indexes
}

function missingOf(kind: ImportKind, fields: Set<string>): string[] {
  const required = Object.entries(FIELDS[kind]).filter(([field, { isRequired }]) => isRequired && !fields.has(field))
  const missing = required.map(([, { heading }]) => heading)
  const hasNoCustomer = kind === 'contracts' && !CUSTOMER_COLUMNS.some((field) => fields.has(field))
  return hasNoCustomer ? ['Customer (or Customer Number)', ...missing] : missing
}
