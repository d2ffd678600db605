import { Alert, Anchor } from '@mantine/core'
import { ExclamationTriangleIcon } from '@radix-ui/react-icons'
import type { ReactNode } from 'react'
import { browserTimeZone, formatCount, formatInstant } from '#client/text/format.ts'
import type { Outputs } from '#client/api/trpc.ts'

type Runs = Outputs['reminders']['runs']

/** Why no messages are being sent. */
export function RemindersWarning({ runs: { stop, isStalled, lastRunAt, waiting } }: { runs: Runs }) {
  if (stop) return <Stopped {...stop} />
  if (isStalled && lastRunAt !== null) {
    return (
      <Warning title="Reminders are not being sent">
        No reminders have been sent since {formatInstant(lastRunAt, browserTimeZone())}. Missed reminders will be sent
        as soon as sending resumes.
      </Warning>
    )
  }
  if (!waiting) return null
  const { count, since } = waiting
  return (
    <Warning
      title={count === 1 ? '1 message is waiting to be sent' : `${formatCount(count)} messages are waiting to be sent`}
    >
      The mail server has not accepted {count === 1 ? 'it' : 'them'} since {formatInstant(since, browserTimeZone())}. We
      will keep trying.
    </Warning>
  )
}

function Stopped({ since, suspension, complaints, mails, contact }: NonNullable<Runs['stop']>) {
  const from = formatInstant(since, browserTimeZone())
  const reported = `${formatCount(complaints)} of your last ${formatCount(mails)} emails were reported as spam, so nothing`
  return (
    <Warning title={suspension === null ? 'Messages to your customers are paused' : 'Your account is suspended'}>
      {suspension === null
        ? `${complaints > 0 ? reported : 'Nothing'} has been sent to customers since ${from}. `
        : `${suspension.replace(/\.?$/, '.')} Since ${from} you can read and export everything, but nothing can be changed or sent. `}
      Messages that are due will wait. Please contact{' '}
      <Anchor href={`mailto:${contact}`} inherit>
        {contact}
      </Anchor>
      .
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
