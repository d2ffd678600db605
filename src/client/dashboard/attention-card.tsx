import { ActionIcon, Badge, Group, Paper, Text, Title } from '@mantine/core'
import { CheckIcon, EyeOpenIcon } from '@radix-ui/react-icons'
import { timeLeftTone } from '#shared/domain/contract-term.ts'
import { contractTone, STATUS_COLORS, STATUS_LABELS, timeLeftText } from '#client/text/contract-words.ts'
import { formatCount, formatDay, formatMoney } from '#client/text/format.ts'
import type { Outputs } from '#client/api/trpc.ts'
import { DataTable, type Column } from '#client/ui/data-table.tsx'
import { EmptyState } from '#client/ui/empty-state.tsx'
import { onDemand, whenButtonNears } from '#client/ui/on-demand.tsx'
import { TableSkeleton } from '#client/ui/table-skeleton.tsx'
import { SendReminder } from './send-reminder.tsx'
import { useSendReminder, type ReminderControl } from './use-send-reminder.ts'
import { useRowDialog } from '#client/ui/use-row-dialog.ts'
import classes from './attention-card.module.css'

type Dashboard = Outputs['dashboard']['get']
type Contract = Dashboard['overdueContracts'][number]

const Preview = onDemand(async () => (await import('./reminder-preview.tsx')).ReminderPreview)

const TITLE = 'Contracts Requiring Attention'

/** The open contracts that are overdue or renew soon, the most urgent first. */
export function AttentionCard({ dashboard }: { dashboard: Dashboard | undefined }) {
  const count = dashboard && dashboard.overdue + dashboard.expiringSoon
  return (
    <Paper withBorder component="section" aria-label={TITLE}>
      <Group gap="sm" p="md">
        <Title order={2} size="h4">
          {TITLE}
        </Title>
        {count !== undefined && (
          <Badge
            size="lg"
            color={count > 0 ? 'red' : 'green'}
            aria-label={count === 1 ? '1 contract' : `${formatCount(count)} contracts`}
          >
            {formatCount(count)}
          </Badge>
        )}
      </Group>
      {dashboard ? <Attention dashboard={dashboard} count={count ?? 0} /> : <TableSkeleton />}
    </Paper>
  )
}

interface AttentionProps {
  dashboard: Dashboard
  count: number
}

function Attention({ dashboard, count }: AttentionProps) {
  const rows = [...dashboard.overdueContracts, ...dashboard.expiringContracts]
  const control = useSendReminder(dashboard)
  const preview = useRowDialog(rows)
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
        columns={[...COLUMNS, actionColumn(control, preview.open)]}
        rows={rows}
        rowKey={({ id }) => id}
        tone={contractTone}
      />
      <Preview.Part
        wanted={preview.opened}
        opened={preview.opened}
        contract={preview.row}
        control={control}
        onClose={preview.close}
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
  { header: 'Status', cell: ({ status }) => <Badge color={STATUS_COLORS[status]}>{STATUS_LABELS[status]}</Badge> },
  { header: 'Time Left', cell: ({ daysLeft }) => <TimeLeft daysLeft={daysLeft} /> },
]

function actionColumn(control: ReminderControl, onPreview: (contract: Contract) => void): Column<Contract> {
  return {
    header: 'Action',
    unlabelled: true,
    cell: (contract) => (
      <Group gap={4} wrap="nowrap" justify="inherit" {...whenButtonNears(Preview.prefetch)}>
        <SendReminder contract={contract} control={control} />
        <ActionIcon
          variant="subtle"
          color="gray"
          size={30}
          aria-label={`Preview the reminder: ${contract.customerName}`}
          title="Preview the reminder"
          onClick={() => onPreview(contract)}
        >
          <EyeOpenIcon aria-hidden />
        </ActionIcon>
      </Group>
    ),
  }
}

function TimeLeft({ daysLeft }: { daysLeft: number }) {
  return (
    <Text component="span" size="sm" fw={600} className={classes.timeLeft ?? ''} data-tone={timeLeftTone(daysLeft)}>
      {timeLeftText(daysLeft)}
    </Text>
  )
}
