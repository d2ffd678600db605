import '@mantine/core/styles/InlineInput.layer.css'
import '@mantine/core/styles/CheckboxCard.layer.css'
import '@mantine/core/styles/CheckboxIndicator.layer.css'
import '@mantine/core/styles/Checkbox.layer.css'
import { Checkbox } from '@mantine/core'
import { failureText } from '#client/failure-text.ts'
import { trpc } from '#client/trpc.ts'
import { CUSTOMER_DOORS } from './customer-doors.ts'
import type { Customer } from './customer-form.ts'

interface NotificationsCheckboxProps {
  customer: Customer
  onFailure: (text: string) => void
}

/** Saves at a click, and shows the new value while it does; where that fails, the old one returns. */
export function NotificationsCheckbox({ customer, onFailure }: NotificationsCheckboxProps) {
  const utils = trpc.useUtils()
  const update = trpc.customers.update.useMutation({
    // Clicks on one customer are saved one after the other, so that the last one holds.
    scope: { id: `customer-${customer.id}` },
    onSuccess: () => utils.customers.list.invalidate(),
    onError: (error) => onFailure(failureText(error, CUSTOMER_DOORS.customers.failure)),
  })
  const enabled = update.isPending ? update.variables.sendNotifications : customer.sendNotifications
  return (
    <Checkbox
      checked={enabled === true}
      label={enabled ? 'Enabled' : 'Disabled'}
      aria-label={`Notifications for ${customer.name}`}
      onChange={(event) => update.mutate({ id: customer.id, sendNotifications: event.currentTarget.checked })}
    />
  )
}
