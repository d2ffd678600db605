import { Badge, Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { isOpen } from '#shared/domain/contract-status.ts'
import { CYCLE_LABELS, days, statusBadge, timeLeftText } from '#client/text/contract-words.ts'
import { formatDay, formatMoney } from '#client/text/format.ts'
import { DetailsDialog } from '#client/ui/dialogs/details-dialog.tsx'
import type { Contract } from './form/contract-form.ts'
import { PdfPanel } from './pdf/pdf-panel.tsx'

interface ContractDetailsProps {
  opened: boolean
  contract: Contract | undefined
  covered: boolean
  onEdit: () => void
  /** Shown below the details. */
  reminders?: ((contract: Contract) => ReactNode) | undefined
  onClose: () => void
}

export function ContractDetails({ contract, onEdit, reminders, ...dialog }: ContractDetailsProps) {
  return (
    <DetailsDialog
      title="Contract Details"
      details={contract ? detailsOf(contract) : []}
      section={contract && <PdfPanel contract={contract} />}
      fetched={contract && dialog.opened && reminders?.(contract)}
      {...dialog}
    >
      <Button onClick={onEdit}>Edit Contract</Button>
    </DetailsDialog>
  )
}

function detailsOf(contract: Contract) {
  const badge = statusBadge(contract)
  return [
    { label: 'Customer', value: contract.customerName },
    { label: 'Amount', value: formatMoney(contract.amount) },
    { label: 'Status', value: <Badge color={badge.color}>{badge.text}</Badge> },
    { label: 'Start Date', value: formatDay(contract.startDate) },
    { label: 'Renewal Cycle', value: CYCLE_LABELS[contract.renewalCycle] },
    { label: 'Renewal Date', value: formatDay(contract.renewalDate) },
    { label: 'Days Until Renewal', value: untilRenewal(contract) },
  ]
}

/** A closed contract past its date is not overdue. */
function untilRenewal({ status, daysLeft }: Contract): string {
  return daysLeft < 0 && !isOpen(status) ? `${days(-daysLeft)} ago` : timeLeftText(daysLeft)
}
