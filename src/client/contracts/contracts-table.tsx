import { Text } from '@mantine/core'
import { contractTone, CYCLE_LABELS } from '#client/text/contract-words.ts'
import { formatDay, formatMoney } from '#client/text/format.ts'
import { EntityTable, type ListedRows } from '#client/list/entity-table.tsx'
import type { Column } from '#client/ui/lists/data-table.tsx'
import type { Contract } from './form/contract-form.ts'
import type { ContractsSearch } from './contracts-search.ts'
import { PdfCell } from './pdf/pdf-cell.tsx'
import { StatusChoice } from './status-choice.tsx'

type SortField = NonNullable<ContractsSearch['sort']>

export function ContractsTable({ search, onFilter, ...table }: ListedRows<Contract, ContractsSearch>) {
  return (
    <EntityTable
      label="Contracts"
      columns={COLUMNS}
      sorting={search}
      onSort={onFilter}
      nameOf={({ customerName }) => `the contract with ${customerName}`}
      tone={contractTone}
      {...table}
    />
  )
}

const COLUMNS: Column<Contract, SortField>[] = [
  { header: 'Customer', cell: ({ customerName }) => customerName },
  { header: 'Amount', sortBy: 'amount', align: 'right', cell: ({ amount }) => formatMoney(amount) },
  { header: 'Start Date', sortBy: 'startDate', cell: ({ startDate }) => formatDay(startDate) },
  { header: 'Renewal', sortBy: 'renewalDate', cell: (contract) => <Renewal contract={contract} /> },
  { header: 'Status', cell: (contract) => <StatusChoice contract={contract} /> },
  { header: 'PDF', cell: (contract) => <PdfCell contract={contract} /> },
]

function Renewal({ contract: { renewalCycle, renewalDate } }: { contract: Contract }) {
  return (
    <span>
      <Text component="span" display="block" size="sm">
        {CYCLE_LABELS[renewalCycle]}
      </Text>
      <Text component="span" display="block" size="xs" c="dimmed">
        {`Due ${formatDay(renewalDate)}`}
      </Text>
    </span>
  )
}
