import { Group, Text } from '@mantine/core'
import { daysToRestore, type TrashKind } from '#shared/domain/trash.ts'
import type { Outputs } from '#client/api/trpc.ts'
import { ChangeButton } from '#client/forms/read-only.tsx'
import { formatDate, formatMoney } from '#client/text/format.ts'
import { DataTable, type Column, type RowSelection } from '#client/ui/lists/data-table.tsx'

type Listed = Outputs['trash']['list']['rows'][number]

/** A customer and a contract may have the same id. */
export type TrashRow = Omit<Listed, 'id'> & { id: string; rowId: number }

export function withId({ id, ...row }: Listed): TrashRow {
  return { ...row, id: `${row.kind} ${id}`, rowId: id }
}

const KINDS: Record<TrashKind, string> = { customer: 'Customer', contract: 'Contract' }

/** As a label of a button says it. */
export function nameOf({ kind, name }: TrashRow): string {
  return kind === 'customer' ? name : `the contract with ${name}`
}

interface TrashTableProps {
  rows: TrashRow[]
  now: Date
  busy: boolean
  selection: RowSelection<TrashRow>
  onRestore: (row: TrashRow) => void
  isRestoring: (row: TrashRow) => boolean
  onRemove: (row: TrashRow) => void
}

export function TrashTable({ now, onRestore, isRestoring, onRemove, ...table }: TrashTableProps) {
  return (
    <DataTable
      label="Trash"
      columns={columnsFor({ now, onRestore, isRestoring, onRemove })}
      rowKey={({ id }) => id}
      nameOf={nameOf}
      {...table}
    />
  )
}

type Acts = Pick<TrashTableProps, 'now' | 'onRestore' | 'isRestoring' | 'onRemove'>

function columnsFor({ now, onRestore, isRestoring, onRemove }: Acts) {
  const columns: Column<TrashRow>[] = [
    { header: 'Name', cell: ({ name }) => name },
    { header: 'Kind', cell: ({ kind, title }) => <Kind kind={kind} title={title} /> },
    { header: 'Amount', align: 'right', cell: ({ amount }) => (amount === null ? '' : formatMoney(amount)) },
    { header: 'Deleted', cell: (row) => <Deleted row={row} /> },
    { header: 'Time Left', cell: ({ deletedAt }) => daysText(daysToRestore(deletedAt, now)) },
    {
      header: 'Actions',
      unlabelled: true,
      cell: (row) => (
        <Group gap="xs" wrap="nowrap">
          <ChangeButton
            size="xs"
            variant="default"
            busy={isRestoring(row)}
            aria-label={`Restore ${nameOf(row)}`}
            onClick={() => onRestore(row)}
          >
            Restore
          </ChangeButton>
          <ChangeButton
            size="xs"
            variant="subtle"
            color="red"
            aria-label={`Delete Permanently: ${nameOf(row)}`}
            onClick={() => onRemove(row)}
          >
            Delete Permanently
          </ChangeButton>
        </Group>
      ),
    },
  ]
  return columns
}

function Kind({ kind, title }: Pick<TrashRow, 'kind' | 'title'>) {
  return (
    <span>
      <Text component="span" display="block" size="sm">
        {KINDS[kind]}
      </Text>
      {title && (
        <Text component="span" display="block" size="xs" c="dimmed">
          {title}
        </Text>
      )}
    </span>
  )
}

function Deleted({ row: { deletedAt, deletedBy } }: { row: TrashRow }) {
  return (
    <span>
      <Text component="span" display="block" size="sm">
        {formatDate(deletedAt)}
      </Text>
      {deletedBy?.name && (
        <Text component="span" display="block" size="xs" c="dimmed">
          {`by ${deletedBy.name}`}
        </Text>
      )}
    </span>
  )
}

function daysText(days: number): string {
  if (days === 0) return 'Less than a day'
  return days === 1 ? '1 day' : `${days} days`
}
