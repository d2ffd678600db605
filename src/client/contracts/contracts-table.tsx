import { Anchor, Badge, Text } from '@mantine/core'
import { capitalised, contractTone, STATUS_COLORS } from '#client/contract-words.ts'
import { formatDay, formatMoney } from '#client/format.ts'
import { DataTable, type Column } from '#client/ui/data-table.tsx'
import { RowActions } from '#client/ui/row-actions.tsx'
import type { Contract } from './contract-form.ts'
import type { ContractsSearch } from './contracts-search.ts'

interface ContractsTableProps extends Acts {
  rows: Contract[]
  search: ContractsSearch
  busy: boolean
  onFilter: (changes: Partial<ContractsSearch>) => void
  onOpen: (contract: Contract) => void
}

interface Acts {
  onEdit: (contract: Contract) => void
  onDelete: (contract: Contract) => void
  onViewPdf: (contract: Contract) => void
}

type SortField = NonNullable<ContractsSearch['sort']>

export function ContractsTable({ rows, search, busy, onFilter, onOpen, ...acts }: ContractsTableProps) {
  const { sort, direction } = search
  const reverse = direction === 'asc' ? 'desc' : 'asc'
  return (
    <DataTable
      label="Contracts"
      columns={columnsFor(acts)}
      rows={rows}
      rowKey={(contract) => contract.id}
      sort={sort && { field: sort, direction }}
      onSort={(field) => onFilter({ sort: field, direction: field === sort ? reverse : 'asc' })}
      onOpen={onOpen}
      tone={contractTone}
      busy={busy}
    />
  )
}

function columnsFor({ onEdit, onDelete, onViewPdf }: Acts): Column<Contract, SortField>[] {
  return [
    { header: 'Customer', cell: ({ customerName }) => customerName },
    { header: 'Amount', sortBy: 'amount', align: 'right', cell: ({ amount }) => formatMoney(amount) },
    { header: 'Start Date', sortBy: 'startDate', cell: ({ startDate }) => formatDay(startDate) },
    { header: 'Renewal', sortBy: 'renewalDate', cell: (contract) => <Renewal contract={contract} /> },
    {
      header: 'Status',
      cell: ({ status }) => <Badge color={STATUS_COLORS[status]}>{capitalised(status)}</Badge>,
    },
    { header: 'PDF', cell: (contract) => <Pdf contract={contract} onView={() => onViewPdf(contract)} /> },
    {
      header: 'Actions',
      unlabelled: true,
      cell: (contract) => (
        <RowActions
          name={`the contract of ${contract.customerName}`}
          onEdit={() => onEdit(contract)}
          onDelete={() => onDelete(contract)}
        />
      ),
    },
  ]
}

function Renewal({ contract: { renewalCycle, renewalDate } }: { contract: Contract }) {
  return (
    <span>
      <Text component="span" display="block" size="sm">
        {capitalised(renewalCycle)}
      </Text>
      <Text component="span" display="block" size="xs" c="dimmed">
        {`Due ${formatDay(renewalDate)}`}
      </Text>
    </span>
  )
}

function Pdf({ contract, onView }: { contract: Contract; onView: () => void }) {
  if (!contract.pdfPath) {
    return (
      <Text component="span" size="sm" c="dimmed">
        No PDF
      </Text>
    )
  }
  return (
    <Anchor
      component="button"
      type="button"
      size="sm"
      aria-label={`View PDF of the contract of ${contract.customerName}`}
      onClick={onView}
    >
      View PDF
    </Anchor>
  )
}
