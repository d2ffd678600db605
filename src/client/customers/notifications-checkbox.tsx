import { inRows, useAtOnce } from '#client/api/use-at-once.ts'
import { useReadOnlyGuard } from '#client/api/use-read-only.ts'
import { trpc, type Inputs } from '#client/api/trpc.ts'
import { CLOSED_LABELS, closedText, type MailClosed } from './closed-words.ts'
import { CUSTOMER_DIALOG_PAGES } from './customer-dialog-pages.ts'
import type { Customer } from './customer-form.ts'
import classes from './notifications-checkbox.module.css'

/** Saves when clicked. */
export function NotificationsCheckbox({ customer }: { customer: Customer }) {
  const isRefused = useReadOnlyGuard()
  const update = trpc.customers.update.useMutation({
    // One after the other, so that the last click wins.
    scope: { id: `customer-${customer.id}` },
    ...useAtOnce('customers', turned, { failure: CUSTOMER_DIALOG_PAGES.customers.failure }),
  })
  const enabled = customer.sendNotifications
  if (customer.mailClosed) return <ClosedCheckbox name={customer.name} mailClosed={customer.mailClosed} />
  return (
    <label className={classes.choice}>
      <input
        type="checkbox"
        checked={enabled}
        aria-label={`Notifications for ${customer.name}`}
        onChange={({ currentTarget: { checked } }) =>
          isRefused() || update.mutate({ id: customer.id, sendNotifications: checked })
        }
      />
      {enabled ? 'Enabled' : 'Disabled'}
    </label>
  )
}

function turned({ id, sendNotifications = true }: Inputs['customers']['update']) {
  return inRows<Customer>((customer) => ({ ...customer, sendNotifications }), Number(id))
}

/** Only the recipient can turn it on; the details explain this. */
function ClosedCheckbox({ name, mailClosed: { reason } }: { name: string; mailClosed: MailClosed }) {
  const text = closedText(reason)
  return (
    <label className={classes.choice} title={text}>
      <input type="checkbox" checked={false} disabled readOnly aria-label={`Notifications for ${name}: ${text}`} />
      {CLOSED_LABELS[reason]}
    </label>
  )
}
