import { Text } from '@mantine/core'
import type { ContractColumn } from '#shared/schemas/columns.ts'
import { TagBadges } from '#client/tags/tag-badges.tsx'
import { CYCLE_LABELS, RENEWS_LABELS } from '#client/text/contract-words.ts'
import { formatDay, formatMoney } from '#client/text/format.ts'
import type { Column } from '#client/ui/lists/data-table.tsx'
import type { Contract } from './form/contract-form.ts'
import type { ContractsSearch } from './contracts-search.ts'
import { PdfCell } from './pdf/pdf-cell.tsx'
import { StatusChoice } from './status-choice.tsx'

type SortField = NonNullable<ContractsSearch['sort']>

/** Every column that the contracts table can have. */
export const CONTRACT_CELLS: Record<ContractColumn, Column<Contract, SortField>> = {
  customer: { header: 'Customer', cell: ({ customerName }) => customerName },
  title: { header: 'Title', cell: ({ title }) => title ?? <Missing /> },
  reference: { header: 'Reference', cell: ({ reference }) => reference ?? <Missing /> },
  amount: { header: 'Amount', sortBy: 'amount', align: 'right', cell: ({ amount }) => formatMoney(amount) },
  startDate: { header: 'Start Date', sortBy: 'startDate', cell: ({ startDate }) => formatDay(startDate) },
  renewal: { header: 'Renewal', sortBy: 'renewalDate', cell: (contract) => <Renewal contract={contract} /> },
  renews: { header: 'Renews', cell: ({ renews }) => RENEWS_LABELS[renews] },
  noticeDate: { header: 'Notice By', cell: ({ noticeDate }) => (noticeDate ? formatDay(noticeDate) : <Missing />) },
  status: { header: 'Status', cell: (contract) => <StatusChoice contract={contract} /> },
  tags: { header: 'Tags', cell: ({ tags }) => (tags.length > 0 ? <TagBadges tags={tags} /> : <Missing />) },
  pdf: { header: 'PDF', cell: (contract) => <PdfCell contract={contract} /> },
}

function Missing() {
  return (
    <Text component="span" size="sm" c="dimmed" aria-label="None">
      –
    </Text>
  )
}

function Renewal({ contract: { renewalCycle, renewalDate } }: { contract: Contract }) {
  return (
    <span>
      <Text component="span" display="block" size="sm">
        {CYCLE_LABELS[renewalCycle]}
      </Text>
      <Text component="span" display="block" size="xs" c="dimmed" style={{ whiteSpace: 'nowrap' }}>
        {`Due ${formatDay(renewalDate)}`}
      </Text>
    </span>
  )
}
