import { Badge, Group, Paper, Text, Title } from '@mantine/core'
import { CheckIcon } from '@radix-ui/react-icons'
import { timeLeftTone } from '#shared/domain/contract-term.ts'
import { capitalised, contractTone, STATUS_COLORS, timeLeftText } from '#client/contract-words.ts'
import { formatCount, formatDay, formatMoney } from '#client/format.ts'
import type { Answers } from '#client/trpc.ts'
import { DataTable, type Column } from '#client/ui/data-table.tsx'
import { EmptyState } from '#client/ui/empty-state.tsx'
import { TableSkeleton } from '#client/ui/table-skeleton.tsx'
import { ReminderBanner, useReminderOutcome, type ReminderOutcome } from './reminder-banner.tsx'
import { SendReminder } from './send-reminder.tsx'
import classes from './attention-card.module.css'

type Dashboard = Answers['dashboard']['get']
type Contract = Dashboard['overdueContracts'][number]

const TITLE = 'Contracts Requiring Attention'

/** The open contracts that are overdue or renew soon, the most urgent first. */
export function AttentionCard({ dashboard }: { dashboard: Dashboard | undefined }) {
  const count = dashboard && dashboard.overdue + dashboard.expiringSoon
  const outcome = useReminderOutcome()
  return (
    <Paper withBorder component="section" aria-label={TITLE}>
      <Group gap="sm" p="md">
        <Title order={2} size="h4">
          {TITLE}
        </Title>
        {count !== undefined && (
          <Badge size="lg" color={count > 0 ? 'red' : 'green'} aria-label={`${count} in all`}>
            {formatCount(count)}
          </Badge>
        )}
      </Group>
      <ReminderBanner {...outcome} />
      {dashboard ? <Attention dashboard={dashboard} count={count ?? 0} outcome={outcome} /> : <TableSkeleton />}
    </Paper>
  )
}

interface AttentionProps {
  dashboard: Dashboard
  count: number
  outcome: ReminderOutcome
}

function Attention({ dashboard, count, outcome }: AttentionProps) {
  const rows = [...dashboard.overdueContracts, ...dashboard.expiringContracts]
  if (rows.length === 0) {
    return (
      <EmptyState
        title="All caught up!"
        hint="No contracts require immediate attention."
        icon={<CheckIcon width={20} height={20} />}
      />
    )
  }
  return (
    <>
      <DataTable
        label={TITLE}
        columns={[...COLUMNS, actionColumn(dashboard, outcome)]}
        rows={rows}
        rowKey={({ id }) => id}
        tone={contractTone}
      />
      {rows.length < count && (
        <Text size="sm" c="dimmed" p="md">
          {`The ${formatCount(rows.length)} most urgent of ${formatCount(count)} are shown.`}
        </Text>
      )}
    </>
  )
}

const COLUMNS: Column<Contract>[] = [
  {
    header: 'Client',
    cell: ({ customerName }) => (
      <Text component="span" size="sm" fw={600}>
        {customerName}
      </Text>
    ),
  },
  { header: 'Amount', align: 'right', cell: ({ amount }) => formatMoney(amount) },
  { header: 'Renewal Date', cell: ({ renewalDate }) => formatDay(renewalDate) },
  { header: 'Status', cell: ({ status }) => <Badge color={STATUS_COLORS[status]}>{capitalised(status)}</Badge> },
  { header: 'Time Left', cell: ({ daysLeft }) => <TimeLeft daysLeft={daysLeft} /> },
]

function actionColumn({ remindedToday }: Dashboard, outcome: ReminderOutcome): Column<Contract> {
  return {
    header: 'Action',
    unlabelled: true,
    cell: (contract) => <SendReminder contract={contract} remindedToday={remindedToday} outcome={outcome} />,
  }
}

function TimeLeft({ daysLeft }: { daysLeft: number }) {
  return (
    <Text component="span" size="sm" fw={600} className={classes.timeLeft ?? ''} data-tone={timeLeftTone(daysLeft)}>
      {timeLeftText(daysLeft)}
    </Text>
  )
}
