import { schemaResolver, useForm } from '@mantine/form'
import { CreateCustomer } from '#shared/schemas/customers.ts'
import { changedFields } from '#client/forms/changed-fields.ts'
import { failureText } from '#client/api/failure-text.ts'
import { failureOf, trpc, type Answers } from '#client/api/trpc.ts'
import { useRefresh } from '#client/api/use-refresh.ts'
import { closedText } from './closed-words.ts'
import { CUSTOMER_DIALOG_PAGES, type CustomerDialogPage } from './customer-dialog-pages.ts'

export type Customer = Answers['customers']['get']

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

/** Adds a customer, or changes what differs from `before`. Resolves to what to say about it. */
export function useSaveCustomer(
  customer: Customer | undefined,
  page: CustomerDialogPage,
  onAdded?: (id: number) => void,
) {
  const create = trpc.customers.create.useMutation()
  const update = trpc.customers.update.useMutation()
  const refresh = useRefresh()
  return async (values: CustomerValues, before: CustomerValues): Promise<string> => {
    const saved = customer
      ? await update.mutateAsync({ id: customer.id, ...changesOf(customer, values, before) })
      : await create.mutateAsync(sentValues(values, page))
    if (!customer) onAdded?.(saved.id)
    void refresh()
    const done = customer ? 'Customer updated successfully!' : 'Customer added successfully!'
    return saved.mailClosed && !closedAt(customer, values.email)
      ? `${done} Messages to this address are turned off. ${closedText(saved.mailClosed.reason)}`
      : done
  }
}

/** Why the address that the form has is closed to mail, as far as the form knows. */
export function closedAt(customer: Customer | undefined, email: string) {
  const isSame = customer?.email?.toLowerCase() === email.trim().toLowerCase()
  return (isSame && customer?.mailClosed) || null
}

// What the account wants besides is not known while an address is closed, and stays as it is.
function changesOf(customer: Customer, values: CustomerValues, before: CustomerValues) {
  const { sendNotifications, ...others } = values
  return changedFields(before, customer.mailClosed ? others : values)
}

// The dashboard asks for no email and for no notifications, and says nothing of either.
function sentValues({ email, sendNotifications, ...values }: CustomerValues, page: CustomerDialogPage) {
  return page === 'dashboard' ? values : { ...values, email, sendNotifications }
}

/** Where the refusal is about one field, that field says it; else the dialog does. */
export function customerFailure(error: unknown, page: CustomerDialogPage) {
  const text = failureText(error, CUSTOMER_DIALOG_PAGES[page].failure)
  const isNumber = failureOf(error).refusal === 'CUSTOMER_NUMBER_TAKEN'
  return isNumber ? { field: 'customerNumber', text } : { field: undefined, text }
}
