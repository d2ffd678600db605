import { formatDate } from '#client/text/format.ts'
import { useWorksAgain } from '#client/mail/bounce-alert.tsx'
import { trpc } from '#client/api/trpc.ts'
import { CLOSED_LABELS, closedText } from './closed-words.ts'
import type { Customer } from './customer-form.ts'

/** The bounce of a customer's address, and the mutation that marks the address as working. */
export function useBounce(customer: Customer | undefined) {
  const { data } = trpc.reminders.bounce.useQuery({ id: customer?.id ?? 0 }, { enabled: Boolean(customer?.email) })
  const clear = trpc.reminders.clearBounce.useMutation(useWorksAgain(data?.address))
  return { bounce: customer?.email ? data : null, clear }
}

/** What there is to say about a customer. */
export function customerDetails(customer: Customer) {
  return [
    { label: 'Phone', value: customer.phone ?? 'No phone' },
    { label: 'Email', value: customer.email ?? 'No email' },
    { label: 'Address', value: customer.address ?? 'No address' },
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
