import { Container } from '@mantine/core'
import { useRouter, type ErrorComponentProps } from '@tanstack/react-router'
import { failureOf } from '#client/api/trpc.ts'
import { ErrorState } from '#client/ui/error-state.tsx'

/** Shown instead of a screen that failed to load. */
export function RouteFailure({ error }: ErrorComponentProps) {
  const router = useRouter()
  return (
    <Container size="sm" py="xl">
      <ErrorState message={failureOf(error).message} onRetry={() => void router.invalidate()} />
    </Container>
  )
}
