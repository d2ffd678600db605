import { useState } from 'react'
import { useReadOnlyGuard } from '#client/api/use-read-only.ts'
import { onDemand } from '#client/ui/on-demand.tsx'
import { CLOSED_LABELS, closedText, type MailClosed } from './closed-words.ts'
import type { Customer } from './customer-form.ts'
import classes from './notifications-checkbox.module.css'

const Save = onDemand(async () => (await import('./customer-dialogs.tsx')).SaveNotifications)

/** Saves when clicked. */
export function NotificationsCheckbox({ customer }: { customer: Customer }) {
  const isRefused = useReadOnlyGuard()
  const [chosen, setChosen] = useState<boolean>()
  const enabled = chosen ?? customer.sendNotifications
  if (customer.mailClosed) return <ClosedCheckbox name={customer.name} mailClosed={customer.mailClosed} />
  return (
    <label className={classes.choice}>
      <input
        type="checkbox"
        checked={enabled}
        aria-label={`Notifications for ${customer.name}`}
        onChange={({ currentTarget: { checked } }) => isRefused() || setChosen(checked)}
      />
      {enabled ? 'Enabled' : 'Disabled'}
      {chosen !== undefined && (
        <Save.Part
          wanted
          key={String(chosen)}
          customer={customer}
          enabled={chosen}
          onDone={() => setChosen(undefined)}
        />
      )}
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
