import { Paper, Skeleton, Stack, Text, Title } from '@mantine/core'
import { useId, type ReactNode } from 'react'
import { browserTimeZone, formatCount, formatInstant } from '#client/text/format.ts'
import { QueryError } from '#client/api/query-error.tsx'
import { trpc, type Outputs } from '#client/api/trpc.ts'

const FAILED = 'Failed to load the email limits'

/** How many emails customers were sent today, how many may be, and what changes that. */
export function MailLimitsCard({ planLink }: { planLink: ReactNode }) {
  const limits = trpc.reminders.mailLimits.useQuery()
  const heading = useId()
  return (
    <Paper component="section" withBorder p="lg" aria-labelledby={heading}>
      <Stack gap="xs">
        <Title order={2} size="h4" id={heading}>
          Emails to customers
        </Title>
        <QueryError query={limits} failed={FAILED} network={FAILED} />
        {limits.isPending && <Skeleton height={72} role="status" aria-label="Loading..." />}
        {limits.data && <Figures limits={limits.data} planLink={planLink} />}
      </Stack>
    </Paper>
  )
}

interface FiguresProps {
  limits: Outputs['reminders']['mailLimits']
  planLink: ReactNode
}

function Figures({ limits, planLink }: FiguresProps) {
  const { sentToday, limit, limitPerAddress, limitWithPaidPlan, resetsAt } = limits
  const noun = limit === 1 ? 'customer email' : 'customer emails'
  return (
    <>
      <Text fw={600}>
        {formatCount(sentToday)} of {formatCount(limit)} {noun} sent today
      </Text>
      <Text size="sm" c="dimmed">
        The count resets on {formatInstant(resetsAt, browserTimeZone())}. Each address gets at most{' '}
        {formatCount(limitPerAddress)} a day from all TRAXX accounts together. Messages over a limit wait until the next
        day, or are skipped if that is too late.
      </Text>
      {limitWithPaidPlan !== null && (
        <Text size="sm">
          With a paid plan you can send {formatCount(limitWithPaidPlan)} a day. {planLink}
        </Text>
      )}
    </>
  )
}
