import { Alert, Button, Group, Text } from '@mantine/core'
import { ExclamationTriangleIcon, ReloadIcon } from '@radix-ui/react-icons'
import { Overlay } from './overlay.tsx'

interface ErrorStateProps {
  message: string
  onRetry: () => void
  label?: string
  /** True while the retry is under way. */
  retrying?: boolean
  /** Covers the bottom of the window: what was fetched before is still shown, and must not move. */
  over?: boolean
}

/** Shown instead of something that could not be fetched. */
export function ErrorState({ message, onRetry, label = 'Retry', retrying = false, over = false }: ErrorStateProps) {
  const alert = (
    <Alert color="red" role="alert" icon={<ExclamationTriangleIcon aria-hidden />}>
      <Group justify="space-between" gap="sm">
        <Text size="sm">{message}</Text>
        <Button variant="default" size="xs" leftSection={<ReloadIcon />} loading={retrying} onClick={onRetry}>
          {label}
        </Button>
      </Group>
    </Alert>
  )
  return over ? <Overlay>{alert}</Overlay> : alert
}
