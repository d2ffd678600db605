import { contractTone } from '#client/text/contract-words.ts'
import { EntityTable, type ListedRows } from '#client/list/entity-table.tsx'
import { CONTRACT_CELLS } from './contract-columns.tsx'
import type { Contract } from './form/contract-form.ts'
import { useColumns } from './use-columns.ts'
import type { ContractsSearch } from './contracts-search.ts'

export function ContractsTable({ search, onFilter, ...table }: ListedRows<Contract, ContractsSearch>) {
  const columns = useColumns(search.columns)
  return (
    <EntityTable
      label="Contracts"
      columns={columns.map((column) => CONTRACT_CELLS[column])}
      sorting={search}
      onSort={onFilter}
      nameOf={({ customerName }) => `the contract with ${customerName}`}
      tone={contractTone}
      {...table}
    />
  )
}
