import { Group, Loader, Text } from '@mantine/core'
import { ErrorState } from './error-state.tsx'
import { Overlay } from './overlay.tsx'

interface OnDemandStateProps {
  failed: boolean
  onRetry: () => void
}

/** Shown while a part of the screen is loading, or failed to load. */
export function OnDemandState({ failed, onRetry }: OnDemandStateProps) {
  if (failed) return <ErrorState over message="This could not be loaded. Check your connection" onRetry={onRetry} />
  return (
    <Overlay waiting>
      <Group gap="sm" p="sm" role="status">
        <Loader size="xs" aria-hidden />
        <Text size="sm">Loading...</Text>
      </Group>
    </Overlay>
  )
}
