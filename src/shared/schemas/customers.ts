import * as z from 'zod/mini'
import { REFUSALS } from '#shared/errors.ts'
import { tags } from './tags.ts'
import { emailOrNone, Id, name, SeenVersion, spacedOrNone, textOrNone } from './fields.ts'

const NAME_REQUIRED = REFUSALS.CUSTOMER_NAME_REQUIRED.message

const CustomerFields = z.object({
  name: name(200, NAME_REQUIRED),
  address: textOrNone(500),
  phone: spacedOrNone(50),
  customerNumber: spacedOrNone(50),
  email: emailOrNone(254),
  contactName: spacedOrNone(200),
  contactRole: spacedOrNone(100),
  sendNotifications: z.boolean('Must be true or false'),
  tags: tags(),
})

/** The fields of a new customer, whether entered or imported. */
export const NewCustomerFields = z.object({
  ...CustomerFields.shape,
  address: z._default(CustomerFields.shape.address, null),
  phone: z._default(CustomerFields.shape.phone, null),
  customerNumber: z._default(CustomerFields.shape.customerNumber, null),
  email: z._default(CustomerFields.shape.email, null),
  contactName: z._default(CustomerFields.shape.contactName, null),
  contactRole: z._default(CustomerFields.shape.contactRole, null),
  sendNotifications: z._default(CustomerFields.shape.sendNotifications, true),
  tags: z._default(CustomerFields.shape.tags, []),
})

export const CreateCustomer = z.object(NewCustomerFields.shape)
export type CreateCustomer = z.output<typeof CreateCustomer>

/** A field that is not sent keeps its value. */
export const UpdateCustomer = z.object({
  ...z.partial(CustomerFields).shape,
  id: Id,
})
export type UpdateCustomer = z.output<typeof UpdateCustomer>

export const EditCustomer = z.object({ ...UpdateCustomer.shape, ...SeenVersion.shape })
