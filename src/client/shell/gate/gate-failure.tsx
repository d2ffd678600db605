import { Container } from '@mantine/core'
import { useRouter, type ErrorComponentProps } from '@tanstack/react-router'
import { failureText, SUBSCRIPTION_UNKNOWN } from '#client/api/failure-text.ts'
import { ErrorState } from '#client/ui/error-state.tsx'

/** Shown if the visitor's subscription could not be checked. */
export function GateFailure({ error }: ErrorComponentProps) {
  const router = useRouter()
  return (
    <Container component="main" size="sm" py="xl">
      <ErrorState message={failureText(error, SUBSCRIPTION_UNKNOWN)} onRetry={() => void router.invalidate()} />
    </Container>
  )
}
