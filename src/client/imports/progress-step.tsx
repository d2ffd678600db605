import { Button, Group, Stack, Text } from '@mantine/core'
import type { ImportKind } from '#shared/schemas/imports.ts'
import { formatCount } from '#client/text/format.ts'
import { trpc, type Outputs } from '#client/api/trpc.ts'
import { ProgressLine } from '#client/ui/files/progress-line.tsx'
import type { BulkUpload } from './use-bulk-upload.ts'

const POLL_MS = 700
const LATEST = 5

type Import = Outputs['imports']['get']

interface ProgressStepProps {
  kind: ImportKind
  bulk: BulkUpload
  onClose: () => void
}

/** First how much of the file has been sent, then how many of its rows have been imported. */
export function ProgressStep({ kind, bulk: { sent, file, stop }, onClose }: ProgressStepProps) {
  const hasArrived = sent === 1
  const running = useRunning({ kind, fileName: file?.name, enabled: hasArrived })
  return (
    <Stack gap="lg">
      <Text c="dimmed" style={{ overflowWrap: 'anywhere' }}>
        {file?.name}
      </Text>
      {hasArrived ? <Importing running={running} /> : <ProgressLine label="Uploading the file..." done={sent} />}
      {hasArrived && (
        <Text size="sm" c="dimmed">
          {running
            ? 'You can close this window. The import will continue, and the result will appear on this page.'
            : 'You can close this window. The result, or a question about the file, will appear on this page.'}
        </Text>
      )}
      <Group justify="flex-end">
        <Button variant="default" onClick={hasArrived ? onClose : stop}>
          {hasArrived ? 'Close' : 'Cancel'}
        </Button>
      </Group>
    </Stack>
  )
}

function Importing({ running }: { running: Import | undefined }) {
  if (!running) return <ProgressLine label="Reading the file..." done={undefined} />
  return <ImportProgress {...running} label="Importing rows..." />
}

/** How many rows of a running import have been processed. */
export function ImportProgress({ label, rows, ...row }: Omit<Import, 'id'> & { label: string }) {
  const done = row.created + row.updated + row.unchanged + row.failed
  const detail = `${formatCount(done)} of ${formatCount(rows)} rows`
  return <ProgressLine label={label} done={rows > 0 ? done / rows : undefined} detail={detail} />
}

/** The import that the server is working on: the response to the upload comes only when it has finished. */
function useRunning({ kind, fileName, enabled }: { kind: ImportKind; fileName: string | undefined; enabled: boolean }) {
  const { data } = trpc.imports.list.useQuery({ limit: LATEST }, { enabled, refetchInterval: POLL_MS })
  const isOurs = (row: Import) => row.status === 'running' && row.kind === kind && row.fileName === fileName
  return enabled ? data?.rows.find(isOurs) : undefined
}
