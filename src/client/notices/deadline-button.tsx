import { Button, type ButtonProps } from '@mantine/core'
import type { ReactNode } from 'react'
import { ACCESS_REFUSALS } from '#shared/refusals/access.ts'
import { trpc } from '#client/api/trpc.ts'
import { ignoreSecondClick } from '#client/ui/ignore-second-click.ts'
import { toastFailure } from '#client/ui/toasts/toasts.tsx'

interface DeadlineButtonProps extends ButtonProps {
  'aria-label'?: string
  onClick: () => void
  children: ReactNode
}

/**
 * Changes what a legal deadline asks for, also in a read-only account. In a suspended one it looks disabled, and a press
 * says why, as a ChangeButton does.
 */
export function DeadlineButton({ onClick, ...button }: DeadlineButtonProps) {
  // Fetched before any screen of the app.
  const { data } = trpc.billing.subscription.useQuery(undefined, { enabled: false })
  const isSuspended = data?.isSuspended === true
  const look = isSuspended && { 'aria-disabled': true, 'data-disabled': true }
  const refuse = () => toastFailure(ACCESS_REFUSALS.ACCOUNT_SUSPENDED.message)
  const press = () => {
    ignoreSecondClick()
    if (isSuspended) refuse()
    else onClick()
  }
  return <Button {...button} {...look} onClick={press} />
}
