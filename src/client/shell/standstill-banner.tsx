import { Alert } from '@mantine/core'
import { ExclamationTriangleIcon } from '@radix-ui/react-icons'
import type { ReactNode } from 'react'
import { browserTimeZone, formatCount, formatInstant } from '#client/format.ts'
import { trpc } from '#client/trpc.ts'

const ASK_MS = 10 * 60_000

/** Says that reminders stand still, on every screen: nobody would miss them otherwise. */
export function StandstillBanner() {
  const { data } = trpc.reminders.runs.useQuery(undefined, { staleTime: ASK_MS, refetchInterval: ASK_MS })
  if (data?.isStill && data.lastRunAt !== null) {
    return (
      <Warning title="Reminders stand still">
        None have been sent since {formatInstant(data.lastRunAt, browserTimeZone())}. What is missed will be made good
        as soon as they run again.
      </Warning>
    )
  }
  if (!data?.waiting) return null
  const { count, since } = data.waiting
  return (
    <Warning
      title={count === 1 ? '1 message is waiting to be sent' : `${formatCount(count)} messages are waiting to be sent`}
    >
      The mail server has not taken {count === 1 ? 'it' : 'them'} since {formatInstant(since, browserTimeZone())}.{' '}
      {count === 1 ? 'It is' : 'They are'} tried again by {count === 1 ? 'itself' : 'themselves'}.
    </Warning>
  )
}

function Warning({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Alert color="red" role="alert" mb="md" icon={<ExclamationTriangleIcon aria-hidden />} title={title}>
      {children}
    </Alert>
  )
}
