import * as z from 'zod/mini'
import { emailOrNone, Id, name, SeenVersion, spacedOrNone } from './fields.ts'
import { LARGEST_ID, wholeNumber } from './filters.ts'

export const MAX_CONTACT_ROLE = 100

const ContactFields = z.object({
  name: name(200, 'Enter a name'),
  role: spacedOrNone(MAX_CONTACT_ROLE),
  email: emailOrNone(254),
  phone: spacedOrNone(50),
  reminders: z.boolean('Must be true or false'),
})

/** The fields of a new further contact, whether entered or imported. */
export const NewContactFields = z.object({
  ...ContactFields.shape,
  role: z._default(ContactFields.shape.role, null),
  email: z._default(ContactFields.shape.email, null),
  phone: z._default(ContactFields.shape.phone, null),
  reminders: z._default(ContactFields.shape.reminders, true),
})

/** A further contact of the customer with this ID. */
export const AddContact = z.object({ ...NewContactFields.shape, id: Id })
export type AddContact = z.output<typeof AddContact>

/** A field that is not sent keeps its value. */
export const ChangeContact = z.object({ ...z.partial(ContactFields).shape, id: Id })
export type ChangeContact = z.output<typeof ChangeContact>

export const EditContact = z.object({ ...ChangeContact.shape, ...SeenVersion.shape })

export const RemoveContact = z.object({ id: Id, ...SeenVersion.shape })

/** Names the contact as it was seen: afterward its ID is that of the former first contact. */
export const MakeFirst = z.object({ id: Id, version: wholeNumber(1, LARGEST_ID) })
export type MakeFirst = z.output<typeof MakeFirst>
