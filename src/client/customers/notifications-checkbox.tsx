import '@mantine/core/styles/InlineInput.layer.css'
import '@mantine/core/styles/CheckboxCard.layer.css'
import '@mantine/core/styles/CheckboxIndicator.layer.css'
import '@mantine/core/styles/Checkbox.layer.css'
import { Checkbox } from '@mantine/core'
import { failureText } from '#client/api/failure-text.ts'
import { trpc } from '#client/api/trpc.ts'
import { toastFailure } from '#client/ui/toasts.tsx'
import { CLOSED_LABELS, closedText, type MailClosed } from './closed-words.ts'
import { CUSTOMER_DIALOG_PAGES } from './customer-dialog-pages.ts'
import type { Customer } from './customer-form.ts'

/** Saves at a click, and shows the new value while it does; where that fails, the old one returns. */
export function NotificationsCheckbox({ customer }: { customer: Customer }) {
  const utils = trpc.useUtils()
  const update = trpc.customers.update.useMutation({
    // Clicks on one customer are saved one after the other, so that the last one holds.
    scope: { id: `customer-${customer.id}` },
    onSuccess: () => utils.customers.list.invalidate(),
    onError: (error) => toastFailure(failureText(error, CUSTOMER_DIALOG_PAGES.customers.failure)),
  })
  const enabled = update.isPending ? update.variables.sendNotifications : customer.sendNotifications
  if (customer.mailClosed) return <ClosedCheckbox name={customer.name} mailClosed={customer.mailClosed} />
  return (
    <Checkbox
      checked={enabled === true}
      label={enabled ? 'Enabled' : 'Disabled'}
      aria-label={`Notifications for ${customer.name}`}
      onChange={(event) => update.mutate({ id: customer.id, sendNotifications: event.currentTarget.checked })}
    />
  )
}

/** Only the person who reads mail at the address can turn it on; the details say so in full. */
function ClosedCheckbox({ name, mailClosed: { reason } }: { name: string; mailClosed: MailClosed }) {
  const text = closedText(reason)
  return (
    <div title={text}>
      <Checkbox
        checked={false}
        disabled
        readOnly
        label={CLOSED_LABELS[reason]}
        aria-label={`Notifications for ${name}: ${text}`}
      />
    </div>
  )
}
