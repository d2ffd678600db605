import { Alert, Button, Group, Text } from '@mantine/core'
import { ExclamationTriangleIcon, ReloadIcon } from '@radix-ui/react-icons'

interface ErrorStateProps {
  message: string
  onRetry: () => void
  /** True while the retry is under way. */
  retrying?: boolean
}

/** Stands where something would that could not be fetched. */
export function ErrorState({ message, onRetry, retrying = false }: ErrorStateProps) {
  return (
    <Alert color="red" role="alert">
      <Group justify="space-between" gap="sm">
        <Group gap="xs" wrap="nowrap">
          <ExclamationTriangleIcon aria-hidden style={{ flex: 'none' }} />
          <Text size="sm">{message}</Text>
        </Group>
        <Button variant="default" size="xs" leftSection={<ReloadIcon />} loading={retrying} onClick={onRetry}>
          Retry
        </Button>
      </Group>
    </Alert>
  )
}
