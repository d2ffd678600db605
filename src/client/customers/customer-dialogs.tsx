import { CustomerDialog } from './customer-dialog.tsx'
import type { RowDialog } from '#client/ui/dialogs/use-dialog-about.ts'
import type { Customer } from './customer-form.ts'

// One chunk for all that the list loads on demand.
export { SaveNotifications } from './save-notifications.tsx'

interface CustomerDialogsProps {
  dialogs: Record<'form', RowDialog<Customer>>
  /** They are on the page of their customer. */
  onOwnPage?: boolean
  onAdded?: (id: number) => void
}

export function CustomerDialogs({ dialogs: { form }, onOwnPage, onAdded }: CustomerDialogsProps) {
  return (
    <CustomerDialog
      page="customers"
      opened={form.opened}
      customer={form.row}
      {...(onOwnPage && { onOwnPage })}
      onAdded={onAdded}
      onClose={form.close}
    />
  )
}
