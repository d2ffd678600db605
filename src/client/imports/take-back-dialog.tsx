import '@mantine/core/styles/List.layer.css'
import { Button, Group, List, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { failureText } from '#client/api/failure-text.ts'
import { formatCount } from '#client/text/format.ts'
import { trpc, type Answers } from '#client/api/trpc.ts'
import { Dialog } from '#client/ui/dialog.tsx'
import { FormFailure } from '#client/ui/form-failure.tsx'
import { counted, createdText } from './import-words.ts'
import { Step } from './step.tsx'
import { useImportsRefresh } from './use-imports-refresh.ts'

type Import = Answers['imports']['get']
type TakenBack = Answers['imports']['takeBack']
export type TakeableImport = Pick<Import, 'id' | 'kind' | 'fileName' | 'created' | 'createdCustomers'>

const MOST_NAMED = 20

/** Which import is to be taken back, kept while the dialog fades out. */
export function useTakeBack() {
  const [opened, setOpened] = useState(false)
  const [taken, setTaken] = useState<TakeableImport>()
  return {
    opened,
    taken,
    open: (row: TakeableImport) => {
      setTaken(row)
      setOpened(true)
    },
    close: () => setOpened(false),
  }
}

type TakeBackDialogProps = ReturnType<typeof useTakeBack> & {
  /** Once the dialog is gone; whether the import was taken back. */
  onClosed: (isTaken: boolean) => void
}

/** Asks first, and then tells what is gone and what was kept. */
export function TakeBackDialog({ opened, taken, close, onClosed }: TakeBackDialogProps) {
  const refresh = useImportsRefresh()
  const takeBack = trpc.imports.takeBack.useMutation({ onSuccess: () => void refresh() })
  const { data, isPending, error } = takeBack
  const closed = () => {
    takeBack.reset()
    onClosed(data !== undefined)
  }
  return (
    <Dialog opened={opened} title="Take Back Import" busy={isPending} onClose={close} onClosed={closed}>
      {data ? (
        <Step>
          <Outcome taken={data} onClose={close} />
        </Step>
      ) : (
        <Question
          taken={taken}
          busy={isPending}
          error={error ? failureText(error, { failed: 'Failed to take back the import' }) : undefined}
          onConfirm={() => taken && takeBack.mutate({ id: taken.id })}
          onCancel={close}
        />
      )}
    </Dialog>
  )
}

interface QuestionProps {
  taken: TakeableImport | undefined
  busy: boolean
  error: string | undefined
  onConfirm: () => void
  onCancel: () => void
}

function Question({ taken, busy, error, onConfirm, onCancel }: QuestionProps) {
  return (
    <Stack>
      {taken && (
        <Text style={{ overflowWrap: 'anywhere' }}>
          Remove the {createdText(taken)} that came with {taken.fileName}?
        </Text>
      )}
      <Text c="dimmed">Rows that were edited since are kept, and so are customers that have other contracts.</Text>
      <Group justify="flex-end">
        <Button variant="default" disabled={busy} onClick={onCancel} data-autofocus>
          Cancel
        </Button>
        <Button color="red" loading={busy} onClick={onConfirm}>
          Take back
        </Button>
      </Group>
      <FormFailure>{error}</FormFailure>
    </Stack>
  )
}

function Outcome({ taken, onClose }: { taken: TakenBack; onClose: () => void }) {
  const { keptCount, kept } = taken
  const named = kept.slice(0, MOST_NAMED)
  return (
    <Stack>
      <Text role="status">{outcomeText(taken)}</Text>
      {keptCount > 0 && (
        <div>
          <Text fw={600} mb="xs">
            {keptCount === 1 ? '1 row is kept:' : `${formatCount(keptCount)} rows are kept:`}
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

function outcomeText({ removedContracts, removedCustomers }: TakenBack): string {
  const removed = [
    ...(removedContracts > 0 ? [counted(removedContracts, 'contracts')] : []),
    ...(removedCustomers > 0 ? [counted(removedCustomers, 'customers')] : []),
  ]
  return removed.length > 0 ? `Removed ${removed.join(' and ')}.` : 'Nothing was removed.'
}

const REASONS = { edited: 'edited since the import', hasContracts: 'has contracts' }

function keptText({ kind, name, reason }: TakenBack['kept'][number]): string {
  return `${kind === 'contract' ? `Contract of ${name}` : name}: ${REASONS[reason]}`
}
