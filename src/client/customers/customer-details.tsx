import { Button } from '@mantine/core'
import { formatDate } from '#client/format.ts'
import { DetailsDialog } from '#client/ui/details-dialog.tsx'
import type { Customer } from './customer-form.ts'

interface CustomerDetailsProps {
  opened: boolean
  customer: Customer | undefined
  covered: boolean
  onEdit: () => void
  onClose: () => void
}

export function CustomerDetails({ customer, onEdit, ...dialog }: CustomerDetailsProps) {
  return (
    <DetailsDialog title="Customer Details" details={customer ? detailsOf(customer) : []} {...dialog}>
      <Button onClick={onEdit}>Edit Customer</Button>
    </DetailsDialog>
  )
}

function detailsOf(customer: Customer) {
  return [
    { label: 'Name', value: customer.name },
    { label: 'Phone', value: customer.phone ?? 'No phone' },
    { label: 'Email', value: customer.email ?? 'No email' },
    { label: 'Address', value: customer.address ?? 'No address' },
    { label: 'Customer Number', value: customer.customerNumber ?? 'N/A' },
    { label: 'Notifications', value: customer.sendNotifications ? 'Enabled' : 'Disabled' },
    { label: 'Date Added', value: formatDate(customer.createdAt) },
    { label: 'Customer ID', value: customer.id },
  ]
}
