import { Alert } from '@mantine/core'

/**
 * Why the last attempt failed, unless a field shows it. Below the buttons, so that a second
 * click finds no other button where the first one was.
 */
export function FormFailure({ children }: { children: string | null | undefined }) {
  if (!children) return null
  return (
    <Alert color="red" role="alert" ref={scrollTo}>
      {children}
    </Alert>
  )
}

function scrollTo(alert: HTMLDivElement | null): void {
  alert?.scrollIntoView({ block: 'nearest' })
}
