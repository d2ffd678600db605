import { CALLS } from './content.ts'

interface NextStepProps {
  /** Somebody who has signed in, and has a subscription as far as the server knows. */
  isMember: boolean
  isSmall?: boolean
}

/** The one thing to do next, for whoever reads the page. */
export function NextStep({ isMember, isSmall = false }: NextStepProps) {
  return (
    <a className={isSmall ? 'button small' : 'button'} href={isMember ? '/dashboard' : '/checkout?trial=true'}>
      {isMember ? CALLS.dashboard : CALLS.trial}
    </a>
  )
}
