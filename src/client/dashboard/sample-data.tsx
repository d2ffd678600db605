import { Alert, Group, Stack, Text } from '@mantine/core'
import { failureText } from '#client/api/failure-text.ts'
import { counted } from '#client/text/counted.ts'
import { failureOf, trpc, type Outputs } from '#client/api/trpc.ts'
import { ChangeButton } from '#client/forms/read-only.tsx'
import { showToast, toastFailure, toastSuccess, UNDO_MS } from '#client/ui/toasts/toasts.tsx'
import { useImportsRefresh } from '#client/api/use-refresh.ts'

/** Offers sample data. */
export function SampleOffer() {
  const onSettled = useImportsRefresh()
  const { mutate, isPending } = trpc.imports.loadSample.useMutation({
    onError: (error) => {
      if (!isDoneElsewhere(error)) toastFailure(failureText(error, { failed: 'Failed to load the sample data' }))
    },
    onSettled,
  })
  return (
    <Stack gap="sm">
      <Group justify="space-between" gap="sm">
        <div>
          <Text fw={600}>Just looking around?</Text>
          <Text size="sm" c="dimmed">
            Sample data fills your account with made-up customers and contracts. One click removes it again.
          </Text>
        </div>
        <ChangeButton size="xs" variant="default" loading={isPending} onClick={() => mutate()}>
          Load Sample Data
        </ChangeButton>
      </Group>
    </Stack>
  )
}

/** Says that the data is made up, and offers to remove it. */
export function SampleBanner({ importId }: { importId: number | null }) {
  const onSettled = useImportsRefresh()
  const { mutate, isPending } = trpc.imports.undo.useMutation({
    onSuccess: sayRemoved,
    onError: (error) => {
      if (!isDoneElsewhere(error)) toastFailure(failureText(error, { failed: 'Failed to remove the sample data' }))
    },
    onSettled,
  })
  if (importId === null) return null
  return (
    <Alert color="cobalt" role="status" title="This is sample data">
      <Stack gap="sm">
        <Group justify="space-between" gap="sm">
          <Text size="sm" flex="1 1 18rem">
            These customers are made up, and no reminders are sent to them. You can add or import your own data at any
            time. Your data and any sample rows you change will be kept.
          </Text>
          <ChangeButton size="xs" variant="default" loading={isPending} onClick={() => mutate({ id: importId })}>
            Remove Sample Data
          </ChangeButton>
        </Group>
      </Stack>
    </Alert>
  )
}

function sayRemoved({ removedContracts, removedCustomers, keptCount, kept }: Outputs['imports']['undo']): void {
  const removed = `${counted(removedContracts, 'contracts')} and ${counted(removedCustomers, 'customers')}`
  const text = `The sample data was removed: ${removed}`
  if (keptCount === 0) return toastSuccess(text)
  const names = [...new Set(kept.map(({ name }) => name))].join(', ')
  const said = `${text}. Anything you changed or used was kept: ${names}`
  showToast({ tone: 'success', text: said, durationMs: UNDO_MS })
}

/** Another tab has already done it, so nothing failed. */
function isDoneElsewhere(error: unknown): boolean {
  const { refusal } = failureOf(error)
  return refusal === 'SAMPLE_DATA_LOADED' || refusal === 'IMPORT_NOT_FOUND'
}
