import { Badge, Group, Stack, Text } from '@mantine/core'
import { browserTimeZone, formatCount, formatInstant } from '#client/text/format.ts'
import type { Outputs } from '#client/api/trpc.ts'
import { ChangeButton } from '#client/forms/read-only.tsx'
import { DownloadErrors } from './download-errors.tsx'
import { createdText, interruptedText, updatedText } from './import-texts.ts'
import { ImportProgress } from './progress-step.tsx'

type Import = Outputs['imports']['get']

interface ImportItemProps {
  row: Import
  onUndo: () => void
}

/** One import: its result, and what can be done about it. */
export function ImportItem({ row, onUndo }: ImportItemProps) {
  const { fileName, createdAt, status, created, createdCustomers, updatedKept, failedKept } = row
  return (
    <Stack component="li" gap={6} py="md">
      <Group justify="space-between" gap="xs" wrap="nowrap" align="flex-start">
        <Text fw={600} style={{ overflowWrap: 'anywhere' }}>
          {fileName}
        </Text>
        {status === 'interrupted' && <Badge color="red">Interrupted</Badge>}
      </Group>
      <Text size="sm" c="dimmed">
        {formatInstant(createdAt, browserTimeZone())}
      </Text>
      {status === 'running' ? <ImportProgress {...row} label="Importing..." /> : <Outcome {...row} />}
      {status !== 'running' && (
        <Group gap="xs">
          {created + createdCustomers + updatedKept > 0 && (
            <ChangeButton variant="default" size="xs" aria-label={`Undo ${fileName}`} onClick={onUndo}>
              Undo
            </ChangeButton>
          )}
          {failedKept > 0 && <DownloadErrors importId={row.id} fileName={fileName} size="xs" />}
        </Group>
      )}
    </Stack>
  )
}

function Outcome(row: Import) {
  const { updated, updatedKept, failed, failedKept, status, throughLine, undoneAt } = row
  return (
    <>
      <Text size="sm">
        {createdText(row)} created, {updatedText(updated)}
        {formatCount(failed)} failed
      </Text>
      {updatedKept < updated && !undoneAt && (
        <Text size="sm">The contracts that it updated can no longer be put back</Text>
      )}
      {failedKept < failed && (
        <Text size="sm">
          {failedKept === 0
            ? 'The failed rows are no longer available'
            : `Only the first ${formatCount(failedKept)} failed rows are available`}
        </Text>
      )}
      {status === 'interrupted' && <Text size="sm">{interruptedText(throughLine)}</Text>}
      {undoneAt && (
        <Text size="sm">
          Undone on {formatInstant(undoneAt, browserTimeZone())}. Rows you had edited and customers with contracts were
          kept.
        </Text>
      )}
    </>
  )
}
