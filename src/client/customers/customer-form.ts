import { schemaResolver, useForm } from '@mantine/form'
import { CreateCustomer } from '#shared/schemas/customers.ts'
import { changedFields } from '#client/forms/changed-fields.ts'
import type { ConflictField } from '#client/forms/conflict-choices.tsx'
import { saveMerged } from '#client/forms/edit-conflict.ts'
import { failureText } from '#client/api/failure-text.ts'
import { failureOf, trpc, type Inputs, type Outputs } from '#client/api/trpc.ts'
import { entered, inRows, useAtOnce } from '#client/api/use-at-once.ts'
import { useRefresh } from '#client/api/use-refresh.ts'
import { tagsIn, tagsText } from '#client/tags/tags-text.ts'
import { closedText } from './closed-words.ts'
import { CUSTOMER_DIALOG_PAGES, type CustomerDialogPage } from './customer-dialog-pages.ts'

export type Customer = Outputs['customers']['get']

const wrongFields = schemaResolver(CreateCustomer, { sync: true })

export function customerValues(customer: Customer | undefined) {
  return {
    name: customer?.name ?? '',
    phone: customer?.phone ?? '',
    email: customer?.email ?? '',
    contactName: customer?.contactName ?? '',
    contactRole: customer?.contactRole ?? '',
    address: customer?.address ?? '',
    customerNumber: customer?.customerNumber ?? '',
    sendNotifications: customer?.sendNotifications ?? true,
    /** Separated by commas. */
    tags: customer?.tags.join(',') ?? '',
    version: customer?.version ?? 0,
  }
}
export type CustomerValues = ReturnType<typeof customerValues>

export function useCustomerForm(page: CustomerDialogPage) {
  const { nameRequired } = CUSTOMER_DIALOG_PAGES[page]
  return useForm<CustomerValues>({
    initialValues: customerValues(undefined),
    validate: (values) => {
      const errors = wrongFields(fieldsOf(values))
      return values.name.trim() === '' ? { ...errors, name: nameRequired } : errors
    },
  })
}

/** What is wrong with one field, edited alone. */
export function customerFieldError(values: CustomerValues, name: keyof CustomerValues): string | undefined {
  if (name === 'name' && values.name.trim() === '') return CUSTOMER_DIALOG_PAGES.customers.nameRequired
  const error = wrongFields(values)[name]
  return typeof error === 'string' ? error : undefined
}

/** Adds a customer, or changes what differs from `before`. Resolves to the ID and the message to show. */
export function useSaveCustomer(customer: Customer | undefined, onAdded?: (id: number) => void) {
  const create = trpc.customers.create.useMutation()
  const update = trpc.customers.update.useMutation(useAtOnce('customers', edited))
  const refresh = useRefresh()
  const { client } = trpc.useUtils()
  const edit = ({ id, mailClosed }: Customer, values: CustomerValues, before: CustomerValues) =>
    saveMerged({
      values,
      before,
      save: (merged, seen) => update.mutateAsync({ id, version: seen.version, ...changesOf(mailClosed, merged, seen) }),
      current: async () => customerValues(await client.customers.get.query({ id })),
    })
  return async (values: CustomerValues, before: CustomerValues) => {
    const saved = customer ? await edit(customer, values, before) : await create.mutateAsync(fieldsOf(values))
    if (!customer) {
      onAdded?.(saved.id)
      void refresh()
    }
    const done = customer ? 'Customer updated successfully!' : 'Customer added successfully!'
    const closed = closedAt(customer, values.email) ? null : saved.mailClosed
    const why = closed ? ` Messages to this address are turned off. ${closedText(closed.reason)}` : ''
    return { id: saved.id, message: `${done}${why}` }
  }
}

function edited({ id, version: _version, ...fields }: Inputs['customers']['update']) {
  return inRows<Customer>((customer) => entered(customer, fields), Number(id))
}

export const CUSTOMER_CONFLICTS: ConflictField<CustomerValues>[] = [
  { name: 'name', label: 'Name' },
  { name: 'phone', label: 'Phone' },
  { name: 'customerNumber', label: 'Customer Number' },
  { name: 'email', label: 'Email' },
  { name: 'contactName', label: 'Contact Person' },
  { name: 'contactRole', label: 'Contact Role' },
  { name: 'address', label: 'Address' },
  { name: 'sendNotifications', label: 'Renewal notifications' },
  { name: 'tags', label: 'Tags', text: tagsText },
]

/** Why the address that the form has is closed to mail, as far as the form knows. */
export function closedAt(customer: Customer | undefined, email: string) {
  const isSame = customer?.email?.toLowerCase() === email.trim().toLowerCase()
  return (isSame && customer?.mailClosed) || null
}

// While an address is closed its own setting is hidden; leave it alone.
function changesOf(mailClosed: Customer['mailClosed'], values: CustomerValues, before: CustomerValues) {
  const { sendNotifications, ...others } = fieldsOf(values)
  return changedFields(fieldsOf(before), mailClosed ? others : fieldsOf(values))
}

function fieldsOf({ version: _version, tags, ...fields }: CustomerValues) {
  return { ...fields, tags: tagsIn(tags) }
}

/** The message, and the field that shows it if the refusal is about one. */
export function customerFailure(error: unknown, page: CustomerDialogPage) {
  const text = failureText(error, CUSTOMER_DIALOG_PAGES[page].failure)
  const isNumber = failureOf(error).refusal === 'CUSTOMER_NUMBER_TAKEN'
  return isNumber ? { field: 'customerNumber', text } : { field: undefined, text }
}
