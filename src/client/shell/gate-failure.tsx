import { Container } from '@mantine/core'
import { useRouter, type ErrorComponentProps } from '@tanstack/react-router'
import { failureOf } from '#client/trpc.ts'
import { ErrorState } from '#client/ui/error-state.tsx'

/** Shown where it could not be found out what the visitor's subscription opens. */
export function GateFailure({ error }: ErrorComponentProps) {
  const router = useRouter()
  return (
    <Container component="main" size="sm" py="xl">
      <ErrorState message={textOf(error)} onRetry={() => void router.invalidate()} />
    </Container>
  )
}

function textOf(error: unknown): string {
  const { isNetwork, refusal, message } = failureOf(error)
  if (isNetwork) return 'Error fetching subscription'
  return refusal === undefined || refusal === 'FAULT' ? 'Failed to fetch subscription status' : message
}
