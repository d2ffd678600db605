import {
  contactColumnsUpTo,
  contactField,
  contactHeading,
  MOST_FURTHER_CONTACTS,
  type ContactColumn,
  type ContactPart,
} from '#shared/domain/contact-columns.ts'
import type { CellKind } from './cells.ts'
import type { Field } from './known-headings.ts'

const CONTACT_WORDS = ['contact', 'contactperson', 'ansprechpartner', 'contacto']
const CONTACT_COLUMNS: Record<ContactPart, { kind: CellKind; example: string; names: string[] }> = {
  name: { kind: 'text', example: 'Ben Carter', names: ['name', '', 'nom', 'nombre'] },
  role: { kind: 'text', example: 'Accounting', names: ['role', 'title', 'rolle', 'funktion', 'fonction', 'cargo'] },
  email: { kind: 'text', example: 'billing@acme.example', names: ['email', 'mail', 'courriel', 'correo'] },
  phone: { kind: 'text', example: '555 0143', names: ['phone', 'telephone', 'telefon', 'telefono'] },
  reminders: {
    kind: 'flag',
    example: 'Yes',
    names: ['reminders', 'notifications', 'erinnerungen', 'rappels', 'recordatorios'],
  },
}

/** The columns of the contacts besides the first, which are named alike but for the number. */
export const CONTACT_FIELDS = contactColumnsUpTo(MOST_FURTHER_CONTACTS + 1).map((contact) => ({
  field: contactField(contact),
  contact,
  ...contactColumn(contact),
}))

function contactColumn({ number, part }: ContactColumn): Field {
  const { kind, example, names } = CONTACT_COLUMNS[part]
  return {
    heading: contactHeading({ number, part }),
    ...(number === 2 ? { example } : {}),
    kind,
    names: CONTACT_WORDS.flatMap((word) => names.map((name) => word + number + name)).join(' '),
  }
}
