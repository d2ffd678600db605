import { Button, CloseButton, Group, Paper, Stack, Text } from '@mantine/core'
import { useState, type ReactNode } from 'react'
import type { BulkAction } from '#shared/domain/bulk-change.ts'
import type { ContractFilter } from '#shared/schemas/filters.ts'
import { MOST_NAMED } from '#shared/schemas/bulk.ts'
import { useDownload } from '#client/identity/use-download.ts'
import { ChangeButton } from '#client/forms/read-only.tsx'
import { formatCount } from '#client/text/format.ts'
import { ignoreSecondClick } from '#client/ui/ignore-second-click.ts'
import { onDemand, whenButtonNears } from '#client/ui/on-demand.tsx'
import { ProgressLine } from '#client/ui/files/progress-line.tsx'
import { progressOf, resultText, underWayText, type Bulk } from './bulk-words.ts'
import { useBulkChange } from './use-bulk-change.ts'
import type { Selection } from './use-selection.ts'
import classes from './bulk-bar.module.css'

const Dialog = onDemand(async () => (await import('./bulk-dialog.tsx')).BulkDialog)

interface BulkBarProps {
  selection: Selection
  /** What the list shows. */
  filter: ContractFilter
  /** How many contracts the filter has. */
  total: number
  onSelectAll: () => void
  onClear: () => void
}

/** What can be done with the selected contracts, and what becomes of it, at the bottom of the window. */
export function BulkBar({ selection, filter, total, onSelectAll, onClear }: BulkBarProps) {
  const change = useBulkChange()
  const [{ action, opened }, setDialog] = useState<{ action: BulkAction; opened: boolean }>({
    action: 'renew',
    opened: false,
  })
  const count = selection.isAll ? total : selection.ids.size
  const close = () => setDialog({ action, opened: false })
  return (
    <>
      {count > 0 && !change.isRunning ? (
        <Bar label="Selected contracts">
          <Actions
            {...{ selection, filter, total, count, onSelectAll, onClear }}
            onAct={(chosen) => setDialog({ action: chosen, opened: true })}
          />
        </Bar>
      ) : (
        change.bulk && (
          <Bar label="Change of contracts">
            <Progress bulk={change.bulk} change={change} />
          </Bar>
        )
      )}
      <Dialog.Part
        wanted={opened}
        opened={opened}
        action={action}
        contracts={selection.isAll ? { filter } : { ids: [...selection.ids] }}
        onStarted={(bulk) => {
          change.onStarted(bulk)
          onClear()
          close()
        }}
        onClose={close}
      />
    </>
  )
}

/** The bar is above a row of the list. */
function vanish(act: () => void): void {
  ignoreSecondClick()
  act()
}

function Bar({ label, children }: { label: string; children: ReactNode }) {
  return (
    <>
      <div className={classes.room} />
      <Paper withBorder component="section" aria-label={label} p="sm" className={classes.bar ?? ''}>
        {children}
      </Paper>
    </>
  )
}

const ACTIONS: { action: BulkAction; label: string }[] = [
  { action: 'renew', label: 'Renew' },
  { action: 'end', label: 'End' },
  { action: 'change_price', label: 'Change Price' },
  { action: 'tag', label: 'Tag' },
  { action: 'remind', label: 'Send Reminder' },
]

interface ActionsProps extends BulkBarProps {
  count: number
  onAct: (action: BulkAction) => void
}

function Actions({ selection, filter, total, count, onSelectAll, onClear, onAct }: ActionsProps) {
  const isTooMany = selection.ids.size > MOST_NAMED
  return (
    <Stack gap="xs" {...whenButtonNears(Dialog.prefetch)}>
      <Group gap="xs" pe="xl">
        <Text fw={600} size="sm" role="status">
          {`${formatCount(count)} selected`}
        </Text>
        {!selection.isAll && count < total && (
          <Button size="compact-sm" variant="subtle" onClick={onSelectAll}>
            {`Select all ${formatCount(total)}`}
          </Button>
        )}
      </Group>
      {isTooMany ? (
        <Text size="sm">{`Select at most ${formatCount(MOST_NAMED)} one by one, or all`}</Text>
      ) : (
        <Group gap="xs">
          {ACTIONS.map(({ action, label }) => (
            <ChangeButton key={action} size="xs" variant="default" onClick={() => onAct(action)}>
              {label}
            </ChangeButton>
          ))}
          <ExportButton selection={selection} filter={filter} />
          <ChangeButton size="xs" variant="default" onClick={() => onAct('delete')}>
            Delete
          </ChangeButton>
        </Group>
      )}
      <CloseButton aria-label="Clear the selection" className={classes.close ?? ''} onClick={() => vanish(onClear)} />
    </Stack>
  )
}

/** Saves the selected contracts as a CSV file, in the order of the list. */
function ExportButton({ selection, filter }: Pick<BulkBarProps, 'selection' | 'filter'>) {
  const { save, busy } = useDownload()
  const { sort, direction } = filter
  const query = selection.isAll ? filter : { sort, direction, ids: [...selection.ids].join(',') }
  const request = { path: '/contracts/export.csv', query, failed: 'Failed to export contracts' }
  return (
    <Button size="xs" variant="default" loading={busy !== undefined} onClick={() => save(request)}>
      Export
    </Button>
  )
}

function Progress({ bulk, change }: { bulk: Bulk; change: ReturnType<typeof useBulkChange> }) {
  if (change.isRunning) return <ProgressLine label={underWayText(bulk)} done={progressOf(bulk)} />
  return (
    <Group gap="sm" wrap="nowrap">
      <Text size="sm" role="status" flex="1 1 auto" style={{ overflowWrap: 'anywhere' }}>
        {resultText(bulk)}
      </Text>
      {bulk.state === 'done' && bulk.changed > 0 && bulk.action !== 'remind' && (
        <ChangeButton size="xs" variant="default" flex="none" idle={change.isUndoing} onClick={() => change.undo(bulk)}>
          Undo
        </ChangeButton>
      )}
      <CloseButton aria-label="Close" onClick={() => vanish(() => change.close(bulk))} />
    </Group>
  )
}
