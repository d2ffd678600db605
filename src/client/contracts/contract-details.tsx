import { Badge, Button } from '@mantine/core'
import { isOpen } from '#shared/domain/contract-status.ts'
import { capitalised, days, STATUS_COLORS, timeLeftText } from '#client/contract-words.ts'
import { formatDay, formatMoney } from '#client/format.ts'
import { DetailsDialog } from '#client/ui/details-dialog.tsx'
import type { Contract } from './contract-form.ts'

interface ContractDetailsProps {
  opened: boolean
  contract: Contract | undefined
  covered: boolean
  onEdit: () => void
  onViewPdf: (contract: Contract) => void
  onClose: () => void
}

export function ContractDetails({ contract, onEdit, onViewPdf, ...dialog }: ContractDetailsProps) {
  return (
    <DetailsDialog title="Contract Details" details={contract ? detailsOf(contract) : []} {...dialog}>
      {contract?.pdfPath && (
        <Button variant="light" mr="auto" onClick={() => onViewPdf(contract)}>
          View PDF
        </Button>
      )}
      <Button onClick={onEdit}>Edit Contract</Button>
    </DetailsDialog>
  )
}

function detailsOf(contract: Contract) {
  return [
    { label: 'Customer', value: contract.customerName },
    { label: 'Amount', value: formatMoney(contract.amount) },
    { label: 'Contract ID', value: contract.id },
    { label: 'Status', value: <Badge color={STATUS_COLORS[contract.status]}>{capitalised(contract.status)}</Badge> },
    { label: 'Start Date', value: formatDay(contract.startDate) },
    { label: 'Renewal Cycle', value: capitalised(contract.renewalCycle) },
    { label: 'Renewal Date', value: formatDay(contract.renewalDate) },
    { label: 'Days Until Renewal', value: untilRenewal(contract) },
  ]
}

/** A contract that has been dealt with is past its date, but not overdue. */
function untilRenewal({ status, daysLeft }: Contract): string {
  return daysLeft < 0 && !isOpen(status) ? `${days(-daysLeft)} ago` : timeLeftText(daysLeft)
}
