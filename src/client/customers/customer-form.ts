import { schemaResolver, useForm } from '@mantine/form'
import { CreateCustomer } from '#shared/schemas/customers.ts'
import { changedFields } from '#client/forms/changed-fields.ts'
import { failureText } from '#client/api/failure-text.ts'
import { failureOf, trpc, type Outputs } from '#client/api/trpc.ts'
import { useRefresh } from '#client/api/use-refresh.ts'
import { closedText } from './closed-words.ts'
import { CUSTOMER_DIALOG_PAGES, type CustomerDialogPage } from './customer-dialog-pages.ts'

export type Customer = Outputs['customers']['get']

const wrongFields = schemaResolver(CreateCustomer, { sync: true })

export function customerValues(customer: Customer | undefined) {
  return {
    name: customer?.name ?? '',
    phone: customer?.phone ?? '',
    email: customer?.email ?? '',
    address: customer?.address ?? '',
    customerNumber: customer?.customerNumber ?? '',
    sendNotifications: customer?.sendNotifications ?? true,
  }
}
type CustomerValues = ReturnType<typeof customerValues>

export function useCustomerForm(page: CustomerDialogPage) {
  const { nameRequired } = CUSTOMER_DIALOG_PAGES[page]
  return useForm<CustomerValues>({
    initialValues: customerValues(undefined),
    validate: (values) => {
      const errors = wrongFields(values)
      return values.name.trim() === '' ? { ...errors, name: nameRequired } : errors
    },
  })
}

/** Adds a customer, or changes what differs from `before`. Resolves to the ID and the message to show. */
export function useSaveCustomer(customer: Customer | undefined, onAdded?: (id: number) => void) {
  const create = trpc.customers.create.useMutation()
  const update = trpc.customers.update.useMutation()
  const refresh = useRefresh()
  return async (values: CustomerValues, before: CustomerValues) => {
    const saved = customer
      ? await update.mutateAsync({ id: customer.id, ...changesOf(customer, values, before) })
      : await create.mutateAsync(values)
    if (!customer) onAdded?.(saved.id)
    void refresh()
    const done = customer ? 'Customer updated successfully!' : 'Customer added successfully!'
    const closed = closedAt(customer, values.email) ? null : saved.mailClosed
    const why = closed ? ` Messages to this address are turned off. ${closedText(closed.reason)}` : ''
    return { id: saved.id, message: `${done}${why}` }
  }
}

/** Why the address that the form has is closed to mail, as far as the form knows. */
export function closedAt(customer: Customer | undefined, email: string) {
  const isSame = customer?.email?.toLowerCase() === email.trim().toLowerCase()
  return (isSame && customer?.mailClosed) || null
}

// While an address is closed its own setting is hidden; leave it alone.
function changesOf(customer: Customer, values: CustomerValues, before: CustomerValues) {
  const { sendNotifications, ...others } = values
  return changedFields(before, customer.mailClosed ? others : values)
}

/** The message, and the field that shows it if the refusal is about one. */
export function customerFailure(error: unknown, page: CustomerDialogPage) {
  const text = failureText(error, CUSTOMER_DIALOG_PAGES[page].failure)
  const isNumber = failureOf(error).refusal === 'CUSTOMER_NUMBER_TAKEN'
  return isNumber ? { field: 'customerNumber', text } : { field: undefined, text }
}
