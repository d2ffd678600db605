import { z } from 'zod'
import { CUSTOMER_SORTS } from '#shared/domain/lists.ts'
import { REFUSALS } from '#shared/errors.ts'
import { Id, name, oneOf, spacedOrNone, textOrNone } from './fields.ts'
import { Page, SearchText, Slice, SortDirection } from './lists.ts'

/** What the customers page keeps in its address. */
export const CustomerFilter = z.object({
  search: SearchText,
  sort: oneOf(CUSTOMER_SORTS).default('name'),
  direction: SortDirection.default('asc'),
})
export type CustomerFilter = z.output<typeof CustomerFilter>

/** Whoever picks a customer by name searches in names alone. */
export const ListCustomers = CustomerFilter.extend({ ...Page.shape, searchBy: z.literal('name').optional() })
export type ListCustomers = z.output<typeof ListCustomers>

export const SliceCustomers = CustomerFilter.extend(Slice.shape)

const email = textOrNone(254).refine(
  (value) => value === null || z.email().safeParse(value).success,
  'Email must be a valid address',
)

const NAME_REQUIRED = REFUSALS.CUSTOMER_NAME_REQUIRED.message

const CustomerFields = z.object({
  name: name(200, NAME_REQUIRED),
  address: textOrNone(500),
  phone: spacedOrNone(50),
  customerNumber: spacedOrNone(50),
  email,
  sendNotifications: z.boolean('Must be true or false'),
})

export const CreateCustomer = CustomerFields.extend({
  address: CustomerFields.shape.address.default(null),
  phone: CustomerFields.shape.phone.default(null),
  customerNumber: CustomerFields.shape.customerNumber.default(null),
  email: CustomerFields.shape.email.default(null),
  sendNotifications: CustomerFields.shape.sendNotifications.default(true),
})
export type CreateCustomer = z.output<typeof CreateCustomer>

/** A field that is not sent keeps its value. */
export const UpdateCustomer = CustomerFields.partial().extend({ id: Id })
export type UpdateCustomer = z.output<typeof UpdateCustomer>
