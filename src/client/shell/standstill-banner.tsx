import { Alert } from '@mantine/core'
import { ExclamationTriangleIcon } from '@radix-ui/react-icons'
import { browserTimeZone, formatInstant } from '#client/format.ts'
import { trpc } from '#client/trpc.ts'

const ASK_MS = 10 * 60_000

/** Says that reminders stand still, on every screen: nobody would miss them otherwise. */
export function StandstillBanner() {
  const { data } = trpc.reminders.runs.useQuery(undefined, { staleTime: ASK_MS, refetchInterval: ASK_MS })
  if (!data?.isStill || data.lastRunAt === null) return null
  return (
    <Alert
      color="red"
      role="alert"
      mb="md"
      icon={<ExclamationTriangleIcon aria-hidden />}
      title="Reminders stand still"
    >
      None have been sent since {formatInstant(data.lastRunAt, browserTimeZone())}. What is missed will be made good as
      soon as they run again.
    </Alert>
  )
}
