import { useRouter, type ErrorComponentProps } from '@tanstack/react-router'
import { failureText, SUBSCRIPTION_UNKNOWN } from '#client/api/failure-text.ts'
import { LoadFailure } from '#client/ui/cards/load-failure.tsx'

/** Shown if the visitor's subscription could not be checked. */
export function GateFailure({ error }: ErrorComponentProps) {
  const router = useRouter()
  return <LoadFailure message={failureText(error, SUBSCRIPTION_UNKNOWN)} onRetry={() => void router.invalidate()} />
}
