import { Stack, Title } from '@mantine/core'
import { ErrorState } from '#client/ui/error-state.tsx'
import { FrontCard } from './front-card.tsx'

/** Shown instead of a whole page that could not be loaded. */
export function LoadFailure(props: Parameters<typeof ErrorState>[0]) {
  return (
    <FrontCard>
      <Stack>
        <Title order={1} size="h2" ta="center">
          This page could not be loaded
        </Title>
        <ErrorState {...props} />
      </Stack>
    </FrontCard>
  )
}
