import '@mantine/core/styles/InlineInput.layer.css'
import '@mantine/core/styles/Checkbox.layer.css'
import { ActionIcon, Button, Checkbox, Group, Stack } from '@mantine/core'
import { ArrowDownIcon, ArrowUpIcon } from '@radix-ui/react-icons'
import { useState } from 'react'
import { columnsIn, CONTRACT_COLUMNS, DEFAULT_COLUMNS, type ContractColumn } from '#shared/schemas/columns.ts'
import { CONTRACT_CELLS } from './contract-columns.tsx'
import { Dialog } from '#client/ui/dialogs/dialog.tsx'

interface ColumnsProps {
  /** Of the address. */
  columns: string | undefined
  onColumns: (columns: string | undefined) => void
  onClose: () => void
}

/** Shows, hides and moves the columns of the table, at once. */
export function ColumnsDialog({ opened, ...columns }: ColumnsProps & { opened: boolean }) {
  return (
    <Dialog opened={opened} onClose={columns.onClose} title="Columns" size="md">
      <Columns {...columns} />
    </Dialog>
  )
}

function Columns({ columns, onColumns, onClose }: ColumnsProps) {
  const shown = columnsIn(columns)
  // Hidden columns keep their places while the dialog is open, so that nothing moves on a click.
  const [order, setOrder] = useState(() => ordered(shown))
  const change = (changed: readonly ContractColumn[]) => {
    const text = changed.join(',')
    onColumns(text === DEFAULT_COLUMNS.join(',') ? undefined : text)
  }
  const toggle = (column: ContractColumn) => change(order.filter((one) => shown.includes(one) !== (one === column)))
  const move = (column: ContractColumn, place: number) => {
    const moved = order.filter((one) => one !== column).toSpliced(place, 0, column)
    setOrder(moved)
    change(moved.filter((one) => shown.includes(one)))
  }
  const reset = () => {
    setOrder(ordered(DEFAULT_COLUMNS))
    onColumns(undefined)
  }
  return (
    <Stack gap="xs">
      {order.map((column, index) => (
        <ColumnFields
          key={column}
          header={CONTRACT_CELLS[column].header}
          isShown={shown.includes(column)}
          // A row has to have something to read.
          isOnly={shown.length === 1 && shown[0] === column}
          isFirst={index === 0}
          isLast={index === order.length - 1}
          onToggle={() => toggle(column)}
          onMove={(by) => move(column, index + by)}
        />
      ))}
      <Group justify="flex-end">
        <Button variant="default" onClick={reset}>
          Reset
        </Button>
        <Button onClick={onClose}>Done</Button>
      </Group>
    </Stack>
  )
}

function ordered(shown: readonly ContractColumn[]): ContractColumn[] {
  return [...shown, ...CONTRACT_COLUMNS.filter((column) => !shown.includes(column))]
}

interface ColumnFieldsProps {
  header: string
  isShown: boolean
  isOnly: boolean
  isFirst: boolean
  isLast: boolean
  onToggle: () => void
  onMove: (by: 1 | -1) => void
}

function ColumnFields({ header, isShown, isOnly, isFirst, isLast, onToggle, onMove }: ColumnFieldsProps) {
  return (
    <Group justify="space-between" wrap="nowrap">
      <Checkbox label={header} checked={isShown} disabled={isOnly} onChange={onToggle} />
      <Group gap={4} wrap="nowrap">
        <ActionIcon variant="subtle" aria-label={`Move ${header} up`} disabled={isFirst} onClick={() => onMove(-1)}>
          <ArrowUpIcon />
        </ActionIcon>
        <ActionIcon variant="subtle" aria-label={`Move ${header} down`} disabled={isLast} onClick={() => onMove(1)}>
          <ArrowDownIcon />
        </ActionIcon>
      </Group>
    </Group>
  )
}
