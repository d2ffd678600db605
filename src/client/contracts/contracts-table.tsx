import { Text } from '@mantine/core'
import { capitalised, contractTone } from '#client/text/contract-words.ts'
import { formatDay, formatMoney } from '#client/text/format.ts'
import { DataTable, type Column } from '#client/ui/data-table.tsx'
import { RowActions } from '#client/ui/row-actions.tsx'
import type { Contract } from './contract-form.ts'
import type { ContractsSearch } from './contracts-search.ts'
import { PdfCell } from './pdf-cell.tsx'
import { StatusChoice } from './status-choice.tsx'
import type { PdfActs } from './use-pdfs.ts'

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
  pdfs: PdfActs
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
      dropOn={acts.pdfs.dropOn}
      busy={busy}
    />
  )
}

function columnsFor({ onEdit, onDelete, pdfs }: Acts): Column<Contract, SortField>[] {
  return [
    { header: 'Customer', cell: ({ customerName }) => customerName },
    { header: 'Amount', sortBy: 'amount', align: 'right', cell: ({ amount }) => formatMoney(amount) },
    { header: 'Start Date', sortBy: 'startDate', cell: ({ startDate }) => formatDay(startDate) },
    { header: 'Renewal', sortBy: 'renewalDate', cell: (contract) => <Renewal contract={contract} /> },
    { header: 'Status', cell: (contract) => <StatusChoice contract={contract} /> },
    { header: 'PDF', cell: (contract) => <PdfCell contract={contract} pdfs={pdfs} /> },
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
