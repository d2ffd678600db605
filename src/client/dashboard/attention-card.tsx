import { ActionIcon, Badge, Button, Group, Paper, Text, Title } from '@mantine/core'
import { CheckIcon, ChevronDownIcon, EyeOpenIcon } from '@radix-ui/react-icons'
import { Link } from '@tanstack/react-router'
import { useId, useState } from 'react'
import { EXPIRING_WITHIN_DAYS, timeLeftTone } from '#shared/domain/contract-term.ts'
import { contractTone, statusBadge, timeLeftText } from '#client/text/contract-words.ts'
import { formatCount, formatDay, formatMoney } from '#client/text/format.ts'
import type { Outputs } from '#client/api/trpc.ts'
import { DataTable, type Column } from '#client/ui/lists/data-table.tsx'
import { EmptyState } from '#client/ui/empty-state.tsx'
import { onDemand, whenButtonNears } from '#client/ui/on-demand.tsx'
import { TableSkeleton } from '#client/ui/lists/table-skeleton.tsx'
import { CountedLink, EXPIRING, OVERDUE, type Counted } from '#client/list/counted-link.tsx'
import { SendReminder } from './send-reminder.tsx'
import { useCollapsed } from './use-collapsed.ts'
import { useDecisions, type Decisions } from '#client/renewals/use-decisions.tsx'
import { useSendReminder, type ReminderControl } from './use-send-reminder.ts'
import { useRowDialog } from '#client/ui/dialogs/use-dialog-about.ts'
import classes from './attention-card.module.css'

type Dashboard = Outputs['dashboard']['get']
type Contract = Dashboard['overdueContracts'][number]

const Preview = onDemand(async () => (await import('./reminder-preview.tsx')).ReminderPreview)

const TITLE = 'Contracts Requiring Attention'

/** The open contracts that are overdue, and those that renew soon, the most urgent first. */
export function AttentionCard({ dashboard }: { dashboard: Dashboard | undefined }) {
  const { isCollapsed, toggle } = useCollapsed()
  const id = useId()
  const count = dashboard && dashboard.overdue + dashboard.expiringSoon
  return (
    <Paper withBorder component="section" aria-label={TITLE}>
      <Group gap="sm" p="md" wrap="nowrap">
        <Title order={2} size="h4">
          {TITLE}
        </Title>
        {count !== undefined && (
          <Badge
            size="lg"
            flex="none"
            color={count > 0 ? 'red' : 'green'}
            aria-label={count === 1 ? '1 contract' : `${formatCount(count)} contracts`}
          >
            {formatCount(count)}
          </Badge>
        )}
        <ActionIcon
          ml="auto"
          variant="subtle"
          color="gray"
          size={30}
          aria-label={`Show ${TITLE}`}
          aria-expanded={!isCollapsed}
          aria-controls={id}
          onClick={toggle}
        >
          <ChevronDownIcon aria-hidden className={classes.chevron} />
        </ActionIcon>
      </Group>
      <div id={id} className={classes.body}>
        {dashboard ? <Attention dashboard={dashboard} /> : <TableSkeleton />}
      </div>
    </Paper>
  )
}

function Attention({ dashboard }: { dashboard: Dashboard }) {
  const { overdue, expiringSoon, overdueContracts, expiringContracts } = dashboard
  const control = useSendReminder(dashboard)
  const decisions = useDecisions()
  const preview = useRowDialog([...overdueContracts, ...expiringContracts])
  if (overdue + expiringSoon === 0) {
    return (
      <EmptyState
        title="All caught up!"
        hint="No contracts require immediate attention."
        icon={<CheckIcon width={20} height={20} />}
      />
    )
  }
  const columns = [...COLUMNS, actionColumn({ control, decisions, onPreview: preview.open })]
  return (
    <>
      {overdue > 0 && (
        <Due title="Overdue" counted={OVERDUE} total={overdue} rows={overdueContracts} columns={columns} />
      )}
      {expiringSoon > 0 && (
        <Due title={SOON} counted={EXPIRING} total={expiringSoon} rows={expiringContracts} columns={columns} />
      )}
      {decisions.dialogs}
      <Preview.Part
        wanted={preview.opened}
        opened={preview.opened}
        contract={preview.row}
        control={control}
        onClose={preview.close}
      />
    </>
  )
}

const SOON = `Expiring within ${EXPIRING_WITHIN_DAYS} days`
const FIRST_ROWS = 5

interface DueProps {
  title: string
  /** What the list shows the first of. */
  counted: Counted
  total: number
  rows: Contract[]
  columns: Column<Contract>[]
}

/** The first contracts that are due for one reason, and a link to all of them. */
function Due({ title, counted, total, rows, columns }: DueProps) {
  const [isLong, setLong] = useState(false)
  const more = rows.length - FIRST_ROWS
  return (
    <section aria-label={title}>
      <Title order={3} size="sm" px="md" pt="xs">
        {`${title} (${formatCount(total)})`}
      </Title>
      <DataTable
        label={title}
        columns={columns}
        rows={isLong ? rows : rows.slice(0, FIRST_ROWS)}
        rowKey={({ id }) => id}
        tone={contractTone}
      />
      {more > 0 && (
        <Group gap="md" px="md" py="xs">
          <Button size="xs" variant="default" aria-expanded={isLong} onClick={() => setLong(!isLong)}>
            {isLong ? 'Show Fewer' : `Show ${more} More`}
          </Button>
          <CountedLink counted={counted} className={classes.all}>
            {`Show all ${formatCount(total)} in Contracts`}
          </CountedLink>
        </Group>
      )}
    </section>
  )
}

const COLUMNS: Column<Contract>[] = [
  {
    header: 'Client',
    cell: ({ id, customerName }) => (
      <Link to="/contracts/$id" params={{ id }} className={classes.client ?? ''}>
        {customerName}
      </Link>
    ),
  },
  { header: 'Amount', align: 'right', cell: ({ amount }) => formatMoney(amount) },
  { header: 'Renewal Date', cell: ({ renewalDate }) => formatDay(renewalDate) },
  { header: 'Status', cell: (contract) => <StatusBadge contract={contract} /> },
  { header: 'Time Left', cell: ({ daysLeft }) => <TimeLeft daysLeft={daysLeft} /> },
]

interface RowActs {
  control: ReminderControl
  decisions: Decisions
  onPreview: (contract: Contract) => void
}

function actionColumn({ control, decisions, onPreview }: RowActs): Column<Contract> {
  return {
    header: 'Action',
    unlabelled: true,
    cell: (contract) => (
      <Group
        gap={4}
        justify="inherit"
        className={classes.acts ?? ''}
        {...whenButtonNears(Preview.prefetch, decisions.prefetch)}
      >
        <Decide contract={contract} decisions={decisions} />
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

function Decide({ contract, decisions }: { contract: Contract; decisions: Decisions }) {
  const quiet = { size: 'xs', variant: 'default', 'data-disabled': decisions.isReadOnly } as const
  return (
    <>
      <Button {...quiet} aria-label={`Renew: ${contract.customerName}`} onClick={() => decisions.renew(contract)}>
        Renew
      </Button>
      <Button {...quiet} aria-label={`Not Renewing: ${contract.customerName}`} onClick={() => decisions.end(contract)}>
        Not Renewing
      </Button>
    </>
  )
}

function StatusBadge({ contract }: { contract: Contract }) {
  const { color, text } = statusBadge(contract)
  return <Badge color={color}>{text}</Badge>
}

function TimeLeft({ daysLeft }: { daysLeft: number }) {
  return (
    <Text component="span" size="sm" fw={600} className={classes.timeLeft ?? ''} data-tone={timeLeftTone(daysLeft)}>
      {timeLeftText(daysLeft)}
    </Text>
  )
}
