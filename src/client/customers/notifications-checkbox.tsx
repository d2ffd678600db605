import { failureText } from '#client/api/failure-text.ts'
import { useReadOnlyGuard } from '#client/api/use-read-only.ts'
import { trpc } from '#client/api/trpc.ts'
import { toastFailure } from '#client/ui/toasts/toasts.tsx'
import { CLOSED_LABELS, closedText, type MailClosed } from './closed-words.ts'
import { CUSTOMER_DIALOG_PAGES } from './customer-dialog-pages.ts'
import type { Customer } from './customer-form.ts'
import classes from './notifications-checkbox.module.css'

/** Saves when clicked, and shows the new value meanwhile; if saving fails, the old one returns. */
export function NotificationsCheckbox({ customer }: { customer: Customer }) {
  const utils = trpc.useUtils()
  const isRefused = useReadOnlyGuard()
  const update = trpc.customers.update.useMutation({
    // One after the other, so that the last click wins.
    scope: { id: `customer-${customer.id}` },
    onSuccess: () => utils.customers.list.invalidate(),
    onError: (error) => toastFailure(failureText(error, CUSTOMER_DIALOG_PAGES.customers.failure)),
  })
  const enabled = update.isPending ? update.variables.sendNotifications : customer.sendNotifications
  if (customer.mailClosed) return <ClosedCheckbox name={customer.name} mailClosed={customer.mailClosed} />
  return (
    <label className={classes.choice}>
      <input
        type="checkbox"
        checked={enabled === true}
        aria-label={`Notifications for ${customer.name}`}
        onChange={({ currentTarget: { checked } }) =>
          isRefused() || update.mutate({ id: customer.id, sendNotifications: checked })
        }
      />
      {enabled ? 'Enabled' : 'Disabled'}
    </label>
  )
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
