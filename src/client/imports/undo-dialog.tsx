import '@mantine/core/styles/List.layer.css'
import { Button, Group, List, Stack, Text } from '@mantine/core'
import { failureText } from '#client/api/failure-text.ts'
import { formatCount } from '#client/text/format.ts'
import { trpc, type Outputs } from '#client/api/trpc.ts'
import { Dialog } from '#client/ui/dialogs/dialog.tsx'
import { FormFailure } from '#client/ui/form-failure.tsx'
import { counted } from '#client/text/counted.ts'
import { createdText } from './import-texts.ts'
import { Step } from './step.tsx'
import { useImportsRefresh } from '#client/api/use-refresh.ts'

type Import = Outputs['imports']['get']
type UndoneImport = Outputs['imports']['undo']
export type UndoableImport = Pick<Import, 'id' | 'kind' | 'fileName' | 'created' | 'createdCustomers' | 'updatedKept'>

const MOST_NAMED = 20

interface UndoDialogProps {
  opened: boolean
  target: UndoableImport | undefined
  onClose: () => void
  /** Called when the dialog is gone, with whether the import was undone. */
  onClosed: (isUndone: boolean) => void
}

/** Asks first, then says what was removed and what was kept. */
export function UndoDialog({ opened, target, onClose, onClosed }: UndoDialogProps) {
  const refresh = useImportsRefresh()
  const undo = trpc.imports.undo.useMutation({ onSuccess: () => void refresh() })
  const { data, isPending, error } = undo
  const closed = () => {
    undo.reset()
    onClosed(data !== undefined)
  }
  return (
    <Dialog opened={opened} title="Undo Import" busy={isPending} onClose={onClose} onClosed={closed}>
      {data ? (
        <Step>
          <Outcome undone={data} onClose={onClose} />
        </Step>
      ) : (
        <Question
          target={target}
          busy={isPending}
          error={error ? failureText(error, { failed: 'Failed to undo the import' }) : undefined}
          onConfirm={() => target && undo.mutate({ id: target.id })}
          onCancel={onClose}
        />
      )}
    </Dialog>
  )
}

function questionText({ fileName, updatedKept, ...created }: UndoableImport): string {
  const changed = counted(updatedKept, 'contracts')
  if (created.created + created.createdCustomers === 0) return `Put back the ${changed} that ${fileName} changed?`
  const also = updatedKept > 0 ? ` and put back the ${changed} it changed` : ''
  return `Remove the ${createdText(created)} imported from ${fileName}${also}?`
}

interface QuestionProps {
  target: UndoableImport | undefined
  busy: boolean
  error: string | undefined
  onConfirm: () => void
  onCancel: () => void
}

function Question({ target, busy, error, onConfirm, onCancel }: QuestionProps) {
  return (
    <Stack>
      {target && <Text style={{ overflowWrap: 'anywhere' }}>{questionText(target)}</Text>}
      <Text c="dimmed">
        Rows you have edited since then will be kept, and so will customers who have other contracts.
      </Text>
      <Group justify="flex-end">
        <Button variant="default" disabled={busy} onClick={onCancel} data-autofocus>
          Cancel
        </Button>
        <Button color="red" loading={busy} onClick={onConfirm}>
          Undo Import
        </Button>
      </Group>
      <FormFailure>{error}</FormFailure>
    </Stack>
  )
}

function Outcome({ undone, onClose }: { undone: UndoneImport; onClose: () => void }) {
  const { keptCount, kept } = undone
  const named = kept.slice(0, MOST_NAMED)
  return (
    <Stack>
      <Text role="status">{outcomeText(undone)}</Text>
      {keptCount > 0 && (
        <div>
          <Text fw={600} mb="xs">
            {keptCount === 1 ? '1 row was kept:' : `${formatCount(keptCount)} rows were kept:`}
          </Text>
          <List size="sm" spacing={4}>
            {named.map((row) => (
              <List.Item key={`${row.kind} ${row.id}`} style={{ overflowWrap: 'anywhere' }}>
                {keptText(row)}
              </List.Item>
            ))}
            {keptCount > named.length && <List.Item>and {formatCount(keptCount - named.length)} more</List.Item>}
          </List>
        </div>
      )}
      <Group justify="flex-end">
        <Button onClick={onClose}>Close</Button>
      </Group>
    </Stack>
  )
}

function outcomeText({ removedContracts, removedCustomers, restoredContracts }: UndoneImport): string {
  const removed = [
    ...(removedContracts > 0 ? [counted(removedContracts, 'contracts')] : []),
    ...(removedCustomers > 0 ? [counted(removedCustomers, 'customers')] : []),
  ]
  const texts = [
    ...(removed.length > 0 ? [`Removed ${removed.join(' and ')}.`] : []),
    ...(restoredContracts > 0 ? [`Put back ${counted(restoredContracts, 'contracts')}.`] : []),
  ]
  return texts.length > 0 ? texts.join(' ') : 'Nothing was undone.'
}

const REASONS = { edited: 'edited since the import', hasContracts: 'has contracts' }

function keptText({ kind, name, reason }: UndoneImport['kept'][number]): string {
  return `${kind === 'contract' ? `Contract for ${name}` : name}: ${REASONS[reason]}`
}
