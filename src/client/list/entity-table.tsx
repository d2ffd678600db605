import type { ComponentProps } from 'react'
import { DataTable, type Column } from '#client/ui/lists/data-table.tsx'
import { RowActions } from '#client/ui/lists/row-actions.tsx'

type Direction = 'asc' | 'desc'

interface Sorting<Field> {
  sort?: Field | undefined
  direction: Direction
}

/** What the screen of a list gives its table. */
export interface ListedRows<Row, Search> {
  rows: Row[]
  search: Search
  newIds: number[]
  busy: boolean
  onFilter: (changes: Partial<Search>) => void
  onOpen: (row: Row) => void
  hrefOf: (row: Row) => string
  onEdit: (row: Row) => void
  onDelete: (row: Row) => void
  selection?: ComponentProps<typeof DataTable<Row>>['selection']
}

interface EntityTableProps<Row, Field extends string> extends Pick<
  ComponentProps<typeof DataTable<Row, Field>>,
  'label' | 'columns' | 'rows' | 'newIds' | 'busy' | 'tone' | 'selection'
> {
  sorting: Sorting<Field>
  onSort: (sorting: { sort: Field; direction: Direction }) => void
  /** Tells one row's buttons from another's. */
  nameOf: (row: Row) => string
  onOpen: (row: Row) => void
  /** The address of the row's page. */
  hrefOf: (row: Row) => string
  onEdit: (row: Row) => void
  onDelete: (row: Row) => void
}

/** A sorted list whose rows can be opened, edited and deleted. */
export function EntityTable<Row extends { id: number }, Field extends string>({
  columns,
  sorting: { sort, direction },
  onSort,
  nameOf,
  onEdit,
  onDelete,
  ...table
}: EntityTableProps<Row, Field>) {
  const reverse = direction === 'asc' ? 'desc' : 'asc'
  const actions: Column<Row, Field> = {
    header: 'Actions',
    unlabelled: true,
    cell: (row) => <RowActions name={nameOf(row)} onEdit={() => onEdit(row)} onDelete={() => onDelete(row)} />,
  }
  return (
    <DataTable
      {...table}
      nameOf={nameOf}
      columns={[...columns, actions]}
      rowKey={({ id }) => id}
      sort={sort && { field: sort, direction }}
      onSort={(field) => onSort({ sort: field, direction: field === sort ? reverse : 'asc' })}
    />
  )
}
