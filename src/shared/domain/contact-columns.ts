/** How many contacts a customer can have besides the first. */
export const MOST_FURTHER_CONTACTS = 20

export const CONTACT_PARTS = ['name', 'role', 'email', 'phone', 'reminders'] as const
export type ContactPart = (typeof CONTACT_PARTS)[number]

/** A column of a file that has one part of a further contact. */
export interface ContactColumn {
  /** From 2: the first contact is in the customer's own columns. */
  number: number
  part: ContactPart
}

/** The name of such a column among the fields of a file, such as `contact2Email`. */
export type ContactField = `contact${number}${Capitalize<ContactPart>}`

const FIELD = /^contact(\d{1,2})(Name|Role|Email|Phone|Reminders)$/

/** The name of the field that one part of a contact has in imports, as in `contact2Email`. */
export function contactField({ number, part }: ContactColumn): ContactField {
  return `contact${number}${CAPITALIZED[part]}`
}

/** The contact and part that a field names; undefined for any other field. */
export function contactColumnOf(field: string): ContactColumn | undefined {
  const [, digits = '', word = ''] = FIELD.exec(field) ?? []
  const [number, part] = [Number(digits), CONTACT_PARTS.find((one) => CAPITALIZED[one] === word)]
  return part && number >= 2 && number <= MOST_FURTHER_CONTACTS + 1 ? { number, part } : undefined
}

/** All columns of the contacts up to this number, contact by contact. */
export function contactColumnsUpTo(last: number): ContactColumn[] {
  const numbers = Array.from({ length: Math.max(0, last - 1) }, (_, index) => index + 2)
  return numbers.flatMap((number) => CONTACT_PARTS.map((part) => ({ number, part })))
}

const CAPITALIZED = {
  name: 'Name',
  role: 'Role',
  email: 'Email',
  phone: 'Phone',
  reminders: 'Reminders',
} as const satisfies Record<ContactPart, Capitalize<ContactPart>>

/** The heading of such a column in templates and exports. */
export function contactHeading({ number, part }: ContactColumn): string {
  return `Contact ${number} ${CAPITALIZED[part]}`
}
