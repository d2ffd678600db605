import { Alert } from '@mantine/core'
import type { ReactNode } from 'react'
import { failureText } from '#client/api/failure-text.ts'
import { browserTimeZone, formatInstant } from '#client/text/format.ts'
import { trpc, type Outputs } from '#client/api/trpc.ts'
import { toastFailure, toastSuccess } from '#client/ui/toasts/toasts.tsx'

type Bounce = NonNullable<Outputs['reminders']['bounce']>

/** Says that mail to an address bounced, and what that means for its reminders. */
export function BounceAlert({ address, bouncedAt, answer, children }: Bounce & { children?: ReactNode }) {
  return (
    <Alert color="yellow" title={`Email to ${address} bounced`}>
      {formatInstant(bouncedAt, browserTimeZone())}
      {answer && `: ${answer}`}. Reminders to this address are off until you change it or mark it as working.
      {children}
    </Alert>
  )
}

/** Marks an address as working, then refetches what shows it. */
export function useWorksAgain(address: string | undefined) {
  const utils = trpc.useUtils()
  return {
    onSuccess: () => {
      toastSuccess(`Reminders will go to ${address} again`)
      return Promise.all([utils.reminders.invalidate(), utils.contacts.invalidate()])
    },
    onError: (error: unknown) => toastFailure(failureText(error, { failed: 'Failed to mark the address as working' })),
  }
}
