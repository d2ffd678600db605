/* oxlint-disable jsx-a11y/no-redundant-roles --
   shown as cards, the elements would lose the roles that they have as a table */
import { UnstyledButton } from '@mantine/core'
import { CaretDownIcon, CaretSortIcon, CaretUpIcon } from '@radix-ui/react-icons'
import type { ReactNode } from 'react'
import classes from './data-table.module.css'

export interface Sort<Field extends string> {
  field: Field
  direction: 'asc' | 'desc'
}

interface SortableHeaderProps<Field extends string> {
  column: { header: string; sortBy?: Field; align?: 'right' }
  sort: Sort<Field> | undefined
  onSort: ((field: Field) => void) | undefined
  /** A control before its text. */
  before?: ReactNode
}

/** A column's header; a button where the column can be sorted by. */
export function SortableHeader<Field extends string>({ column, sort, onSort, before }: SortableHeaderProps<Field>) {
  const { header, sortBy, align } = column
  if (sortBy === undefined || !onSort) {
    return (
      <th role="columnheader" data-align={align}>
        {before}
        {header}
      </th>
    )
  }
  const direction = sort?.field === sortBy ? sort.direction : undefined
  return (
    <th role="columnheader" data-align={align} data-sortable aria-sort={ARIA_SORT[direction ?? 'none']}>
      {before}
      <UnstyledButton className={classes.sorter ?? ''} onClick={() => onSort(sortBy)}>
        {header}
        <Arrow direction={direction} />
      </UnstyledButton>
    </th>
  )
}

const ARIA_SORT = { asc: 'ascending', desc: 'descending', none: 'none' } as const

function Arrow({ direction }: { direction: 'asc' | 'desc' | undefined }) {
  if (direction === undefined) return <CaretSortIcon aria-hidden />
  return direction === 'asc' ? <CaretUpIcon aria-hidden /> : <CaretDownIcon aria-hidden />
}
