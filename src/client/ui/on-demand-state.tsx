import { Group, Loader, Paper, Text } from '@mantine/core'
import { ErrorState } from './error-state.tsx'
import classes from './on-demand-state.module.css'

interface OnDemandStateProps {
  failed: boolean
  onRetry: () => void
}

/** Stands at the bottom of the window while a part of the screen is fetched, and where that failed. */
export function OnDemandState({ failed, onRetry }: OnDemandStateProps) {
  return (
    <div className={classes.place} data-waiting={!failed || undefined}>
      <Paper withBorder shadow="lg" className={classes.card ?? ''}>
        {failed ? (
          <ErrorState message="This could not be loaded. Check your connection" onRetry={onRetry} />
        ) : (
          <Group gap="sm" p="sm" role="status">
            <Loader size="xs" aria-hidden />
            <Text size="sm">Loading...</Text>
          </Group>
        )}
      </Paper>
    </div>
  )
}
