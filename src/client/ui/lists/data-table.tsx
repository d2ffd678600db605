/* oxlint-disable jsx-a11y/no-redundant-roles, jsx-a11y/no-interactive-element-to-noninteractive-role --
   shown as cards, the elements would lose the roles that they have as a table */
import { UnstyledButton, VisuallyHidden } from '@mantine/core'
import type { MouseEvent, ReactNode } from 'react'
import classes from './data-table.module.css'
import { SortableHeader, type Sort } from './sortable-header.tsx'

export interface Column<Row, Field extends string = never> {
  header: string
  cell: (row: Row) => ReactNode
  /** Makes the header a button that sorts by this. */
  sortBy?: Field
  align?: 'right'
  /** Where rows are cards: shows the cell without its header, over the card's whole width. */
  unlabelled?: boolean
}

/** Marks a row for the eye, and says in words what the color means. */
export interface RowTone {
  color: 'red' | 'yellow'
  text: string
}

/** Which rows are selected. */
export interface RowSelection<Row> {
  isSelected: (row: Row) => boolean
  isPageSelected: boolean
  /** A range begins at the row that was selected before. */
  onSelect: (row: Row, how: { isRange: boolean }) => void
  onSelectPage: () => void
}

interface DataTableProps<Row, Field extends string> {
  /** Names the table. */
  label: string
  columns: Column<Row, Field>[]
  rows: Row[]
  rowKey: (row: Row) => string | number
  sort?: Sort<Field> | undefined
  onSort?: (field: Field) => void
  /** Makes a row clickable, and its first cell a button for the keyboard. */
  onOpen?: (row: Row) => void
  /** The address of what a row opens, if that is a page and not a dialog: its first cell is then a link. */
  hrefOf?: ((row: Row) => string) | undefined
  tone?: (row: Row) => RowTone | undefined
  /** Puts a checkbox before each row, and one for the page before the first header. */
  selection?: RowSelection<Row> | undefined
  /** Tells one row's controls from another's. */
  nameOf?: (row: Row) => string
  /** The keys of the rows that are marked as new. */
  newIds?: (string | number)[]
  /** True while other rows are loading. */
  busy?: boolean
}

/** A table; in a narrow window every row becomes a card. */
export function DataTable<Row, Field extends string = never>(props: DataTableProps<Row, Field>) {
  const { label, columns, rows, rowKey, newIds, sort, onSort, selection, busy = false } = props
  return (
    // The roles are those of the elements: as cards they would lose them.
    <table role="table" aria-label={label} aria-busy={busy} className={classes.table}>
      <thead role="rowgroup">
        <tr role="row">
          {columns.map((column, index) => (
            <SortableHeader
              key={column.header}
              column={column}
              sort={sort}
              onSort={onSort}
              before={index === 0 && selection && <PageBox selection={selection} />}
            />
          ))}
        </tr>
      </thead>
      <tbody role="rowgroup">
        {rows.map((row) => (
          <DataRow key={rowKey(row)} row={row} isNew={newIds?.includes(rowKey(row))} {...props} />
        ))}
      </tbody>
    </table>
  )
}

type DataRowProps<Row, Field extends string> = DataTableProps<Row, Field> & { row: Row; isNew: boolean | undefined }

function DataRow<Row, Field extends string>(props: DataRowProps<Row, Field>) {
  const { row, isNew, columns, onOpen, hrefOf, tone, selection, nameOf } = props
  const mark = tone?.(row)
  const open = onOpen && (() => onOpen(row))
  const openByMouse = open && ((event: MouseEvent) => isOnRowItself(event) && open())
  return (
    <tr role="row" data-tone={mark?.color} data-opens={open ? true : undefined} onClick={openByMouse}>
      {columns.map((column, index) => (
        <td
          key={column.header}
          role="cell"
          data-label={column.unlabelled || index === 0 ? undefined : column.header}
          data-align={column.align}
        >
          {index === 0 && selection && <RowBox row={row} selection={selection} name={nameOf?.(row) ?? ''} />}
          {index === 0 ? (
            <FirstCell open={open} href={hrefOf?.(row)} mark={mark} content={column.cell(row)} />
          ) : (
            column.cell(row)
          )}
          {index === 0 && isNew && <span className={classes.new}>New</span>}
        </td>
      ))}
    </tr>
  )
}

function PageBox({
  selection: { isPageSelected, onSelectPage },
}: {
  selection: Pick<RowSelection<never>, 'isPageSelected' | 'onSelectPage'>
}) {
  return (
    <input
      type="checkbox"
      className={classes.box}
      aria-label="Select all on this page"
      checked={isPageSelected}
      onChange={onSelectPage}
    />
  )
}

interface RowBoxProps<Row> {
  row: Row
  selection: RowSelection<Row>
  name: string
}

function RowBox<Row>({ row, selection, name }: RowBoxProps<Row>) {
  return (
    <input
      type="checkbox"
      className={classes.box}
      aria-label={`Select ${name}`}
      checked={selection.isSelected(row)}
      onChange={({ nativeEvent }) =>
        selection.onSelect(row, { isRange: nativeEvent instanceof MouseEvent && nativeEvent.shiftKey })
      }
    />
  )
}

interface FirstCellProps {
  open: (() => void) | undefined
  href: string | undefined
  mark: RowTone | undefined
  content: ReactNode
}

function FirstCell({ mark, content, ...opener }: FirstCellProps) {
  return (
    <>
      {opener.open ? <Opener {...opener}>{content}</Opener> : content}
      {mark && <VisuallyHidden>{mark.text}</VisuallyHidden>}
    </>
  )
}

function Opener({ open, href, children }: Pick<FirstCellProps, 'open' | 'href'> & { children: ReactNode }) {
  const className = classes.opener ?? ''
  if (href === undefined) {
    return (
      <UnstyledButton className={className} aria-haspopup="dialog" onClick={open}>
        {children}
      </UnstyledButton>
    )
  }
  // The browser follows the link itself into another tab or window.
  const follow = (event: MouseEvent) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return
    event.preventDefault()
    open?.()
  }
  return (
    <a href={href} title={typeof children === 'string' ? children : undefined} className={className} onClick={follow}>
      {children}
    </a>
  )
}

/** Not on a control inside the row, nor in a menu or dialog that one of them has opened elsewhere on the page. */
function isOnRowItself({ target, currentTarget }: MouseEvent): boolean {
  if (!(target instanceof Element) || !currentTarget.contains(target)) return false
  return !target.closest('a, button, input, select, textarea, label, [role="button"]')
}
