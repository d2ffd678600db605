import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import type { ImportKind } from '#shared/schemas/imports.ts'
import { formatCount } from '#client/text/format.ts'
import { useDownload } from '#client/api/use-download.ts'
import { errorsFile } from './errors-file.ts'
import { FailedRows } from './failed-rows.tsx'
import type { ImportAnswer } from './import-answer.ts'
import { counted } from './import-words.ts'
import type { TakeableImport } from './take-back-dialog.tsx'

interface ResultStepProps {
  kind: ImportKind
  fileName: string
  answer: ImportAnswer
  /** Whether customers are written to about the imported renewal dates, where that was asked. */
  reminders: string | undefined
  onTakeBack: (taken: TakeableImport) => void
  onAnother: () => void
  onClose: () => void
}

/** What came of the file, row by row where rows failed. */
export function ResultStep({ kind, fileName, answer, reminders, onTakeBack, onAnother, onClose }: ResultStepProps) {
  const { importId, created, failed, createdCustomers } = answer
  const { save, busy } = useDownload()
  const hasCreated = created + createdCustomers > 0
  return (
    <Stack>
      <Alert color={colorOf(answer)} role="status">
        {completeText(answer)}
      </Alert>
      <Notes {...answer} />
      {created > 0 && reminders && CHOSEN[reminders] && <Text size="sm">{CHOSEN[reminders]}</Text>}
      {failed > 0 && <FailedRows {...answer} />}
      <Group justify="flex-end" gap="sm">
        {failed > 0 && (
          <Button variant="default" loading={busy !== undefined} onClick={() => save(errorsFile(importId))}>
            Download errors
          </Button>
        )}
        {hasCreated && (
          <Button
            variant="default"
            onClick={() => onTakeBack({ id: importId, kind, fileName, created, createdCustomers })}
          >
            Take back
          </Button>
        )}
        <Button variant="default" onClick={onAnother}>
          Upload another
        </Button>
        <Button onClick={onClose}>Done</Button>
      </Group>
    </Stack>
  )
}

const CHOSEN: Record<string, string> = {
  on: 'Customers are sent emails about these renewal dates.',
  off: 'Customers are sent no emails about these renewal dates.',
}

export function completeText({ created, failed }: ImportAnswer): string {
  const complete = `Bulk upload complete: ${formatCount(created)} created, ${formatCount(failed)} failed.`
  return failed > 0 ? `${complete} Some rows failed.` : complete
}

function colorOf({ created, failed }: ImportAnswer): string {
  if (failed === 0) return 'green'
  return created > 0 ? 'yellow' : 'red'
}

function Notes({ createdCustomers, ignoredColumns }: ImportAnswer) {
  return (
    <>
      {createdCustomers > 0 && <Text size="sm">{counted(createdCustomers, 'customers')} created along with them.</Text>}
      {ignoredColumns.length > 0 && (
        <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
          Columns that were not used: {ignoredColumns.join(', ')}
        </Text>
      )}
    </>
  )
}
