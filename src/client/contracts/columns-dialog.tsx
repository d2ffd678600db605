import '@mantine/core/styles/InlineInput.layer.css'
import '@mantine/core/styles/Checkbox.layer.css'
import { ActionIcon, Button, Checkbox, Group, Stack } from '@mantine/core'
import { ArrowDownIcon, ArrowUpIcon } from '@radix-ui/react-icons'
import { useState } from 'react'
import { CONTRACT_COLUMNS, DEFAULT_COLUMNS, type ContractColumn } from '#shared/schemas/columns.ts'
import { CONTRACT_CELLS } from './contract-columns.tsx'
import { failureText } from '#client/api/failure-text.ts'
import { trpc } from '#client/api/trpc.ts'
import { ChangeButton } from '#client/forms/read-only.tsx'
import { toastFailure, toastSuccess } from '#client/ui/toasts/toasts.tsx'
import { useColumns, useDefaultColumns } from './use-columns.ts'
import { Dialog } from '#client/ui/dialogs/dialog.tsx'
import { ignoreSecondClick } from '#client/ui/ignore-second-click.ts'

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
  const inAddress = useColumns(columns)
  // What was chosen here counts at once, as the address follows a moment later.
  const [chosen, setChosen] = useState<readonly ContractColumn[]>()
  const shown = chosen ?? inAddress
  const byDefault = useDefaultColumns()
  const save = useSaveDefault(onColumns)
  // Hidden columns keep their places while the dialog is open, so that nothing moves on a click.
  const [order, setOrder] = useState(() => ordered(shown))
  const change = (changed: readonly ContractColumn[]) => {
    setChosen(changed)
    onColumns(isSame(changed, byDefault) ? undefined : changed.join(','))
  }
  const toggle = (column: ContractColumn) => change(order.filter((one) => shown.includes(one) !== (one === column)))
  const move = (column: ContractColumn, place: number) => {
    ignoreSecondClick()
    const moved = order.filter((one) => one !== column).toSpliced(place, 0, column)
    setOrder(moved)
    change(moved.filter((one) => shown.includes(one)))
  }
  const reset = () => {
    setOrder(ordered(DEFAULT_COLUMNS))
    change(DEFAULT_COLUMNS)
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
        <ChangeButton
          variant="default"
          idle={isSame(shown, byDefault)}
          busy={save.isPending}
          onClick={() => save.mutate({ contractColumns: isSame(shown, DEFAULT_COLUMNS) ? null : shown.join(',') })}
        >
          Save as Default
        </ChangeButton>
        <Button onClick={onClose}>Done</Button>
      </Group>
    </Stack>
  )
}

/** Default columns are left out of the address. */
function useSaveDefault(onColumns: ColumnsProps['onColumns']) {
  const { views } = trpc.useUtils()
  return trpc.views.saveListSettings.useMutation({
    onSuccess: (settings) => {
      views.listSettings.setData(undefined, settings)
      onColumns(undefined)
      toastSuccess('The contracts page now shows these columns by default')
    },
    onError: (error) => toastFailure(failureText(error, { failed: 'Failed to save the columns' })),
  })
}

function isSame(one: readonly ContractColumn[], other: readonly ContractColumn[]): boolean {
  return one.join() === other.join()
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
