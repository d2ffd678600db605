import { formatDate } from '#client/text/format.ts'
import { useWorksAgain } from '#client/mail/bounce-alert.tsx'
import { trpc } from '#client/api/trpc.ts'
import { EditInPlace, type InPlaceField } from '#client/forms/edit-in-place.tsx'
import type { Detail } from '#client/ui/detail-list.tsx'
import { EmailText } from '#client/ui/email-text.tsx'
import { toastSuccess } from '#client/ui/toasts/toasts.tsx'
import { CLOSED_LABELS, closedText } from './closed-words.ts'
import { customerFailure, customerFieldError, customerValues, useSaveCustomer } from './customer-form.ts'
import type { Customer, CustomerValues } from './customer-form.ts'

/** The bounce of a customer's address, and the mutation that marks the address as working. */
export function useBounce(customer: Customer | undefined) {
  const { data } = trpc.reminders.bounce.useQuery({ id: customer?.id ?? 0 }, { enabled: Boolean(customer?.email) })
  const clear = trpc.reminders.clearBounce.useMutation(useWorksAgain(data?.address))
  return { bounce: customer?.email ? data : null, clear }
}

const FIELDS: InPlaceField<CustomerValues>[] = [
  { name: 'name', label: 'Name', shown: ({ name }) => name },
  { name: 'phone', label: 'Phone', type: 'tel', shown: ({ phone }) => phone || 'No phone' },
  {
    name: 'email',
    label: 'Email',
    type: 'email',
    shown: ({ email }) => (email ? <EmailText>{email}</EmailText> : 'No email'),
  },
  { name: 'address', label: 'Address', shown: ({ address }) => address || 'No address' },
]

/** What there is to say about a customer. How to reach them is edited where it is shown. */
export function useCustomerDetails(customer: Customer): Detail[] {
  const saveCustomer = useSaveCustomer(customer)
  const values = customerValues(customer)
  const save = async (changed: CustomerValues, before: CustomerValues) => {
    toastSuccess((await saveCustomer(changed, before)).message)
    return true
  }
  return [
    ...FIELDS.map((field) => ({
      label: field.label,
      value: (
        <EditInPlace
          field={field}
          values={values}
          check={customerFieldError}
          save={save}
          failureOf={(error) => customerFailure(error, 'customers').text}
        />
      ),
    })),
    { label: 'Customer Number', value: customer.customerNumber ?? 'N/A' },
    { label: 'Notifications', value: notificationsOf(customer) },
    { label: 'Tags', value: customer.tags.join(', ') || 'No tags' },
    { label: 'Date Added', value: formatDate(customer.createdAt) },
    { label: 'Customer ID', value: customer.id },
  ]
}

function notificationsOf({ mailClosed, sendNotifications }: Customer): string {
  if (!mailClosed) return sendNotifications ? 'Enabled' : 'Disabled'
  const { reason, since } = mailClosed
  return `${CLOSED_LABELS[reason]} on ${formatDate(since)}. ${closedText(reason)}`
}
