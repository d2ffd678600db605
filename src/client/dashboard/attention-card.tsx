import { ActionIcon, Badge, Button, Group, Paper, Title } from '@mantine/core'
import { CheckIcon, ChevronDownIcon } from '@radix-ui/react-icons'
import { useId, useState } from 'react'
import { addDays } from '#shared/domain/day.ts'
import { EXPIRING_WITHIN_DAYS, isNoticeDue } from '#shared/domain/contract-term.ts'
import { contractTone } from '#client/text/contract-words.ts'
import { formatCount } from '#client/text/format.ts'
import { trpc, type Outputs } from '#client/api/trpc.ts'
import { DataTable, type Column } from '#client/ui/lists/data-table.tsx'
import { EmptyState } from '#client/ui/empty-state.tsx'
import { onDemand } from '#client/ui/on-demand.tsx'
import { TableSkeleton } from '#client/ui/lists/table-skeleton.tsx'
import { CountedLink, EXPIRING, NOTICE_DUE, OVERDUE, type Counted } from '#client/list/counted-link.tsx'
import { actionColumn, COLUMNS, NOTICE_COLUMNS, type DueContract } from './attention-columns.tsx'
import { useCollapsed } from './use-collapsed.ts'
import { useDecisions } from '#client/renewals/use-decisions.tsx'
import { useSendReminder, withPlanned } from '#client/mail/by-hand/use-send-reminder.ts'
import { useRowDialog } from '#client/ui/dialogs/use-dialog-about.ts'
import classes from './attention-card.module.css'

type Dashboard = Outputs['dashboard']['get']

const Preview = onDemand(async () => (await import('#client/mail/by-hand/reminder-preview.tsx')).ReminderPreview)

const TITLE = 'Contracts Requiring Attention'

/** The open contracts that are overdue, need notice soon, or renew soon, each in the first of these lists that has it. */
export function AttentionCard({ dashboard }: { dashboard: Dashboard | undefined }) {
  const { isCollapsed, toggle } = useCollapsed()
  const id = useId()
  const count = dashboard?.requiringAttention
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
  const { overdue, noticeDue, requiringAttention, overdueContracts, noticeContracts, expiringContracts } = dashboard
  const { get } = trpc.useUtils().dashboard
  const control = useSendReminder({
    known: () => get.getData() ?? dashboard,
    addPlanned: (planned) => get.setData(undefined, (before) => before && withPlanned(before, planned)),
  })
  const decisions = useDecisions()
  const preview = useRowDialog([...overdueContracts, ...noticeContracts, ...expiringContracts])
  const actions = actionColumn({ control, decisions, onPreview: preview.open, prefetch: Preview.prefetch })
  const columns = [...COLUMNS, actions]
  const others = requiringAttention - overdue - noticeDue
  return (
    <>
      {requiringAttention === 0 && (
        <EmptyState
          title="All caught up!"
          hint="No contracts require immediate attention."
          icon={<CheckIcon width={20} height={20} />}
        />
      )}
      {overdue > 0 && (
        <Due title="Overdue" counted={OVERDUE} total={overdue} rows={overdueContracts} columns={columns} />
      )}
      {noticeDue > 0 && (
        <Due
          title="Notice due this week"
          counted={NOTICE_DUE}
          total={noticeDue}
          rows={noticeContracts}
          columns={[...NOTICE_COLUMNS, actions]}
        />
      )}
      {others > 0 && (
        <Due
          title={SOON}
          counted={EXPIRING}
          total={others}
          above={dashboard.expiringSoon - others}
          rows={expiringContracts.filter((contract) => !isListedAbove(contract))}
          columns={columns}
        />
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

/** Whether notice is due as well, on the day from which the days left count. */
function isListedAbove(contract: DueContract): boolean {
  return isNoticeDue(contract, addDays(contract.renewalDate, -contract.daysLeft))
}

const SOON = `Expiring within ${EXPIRING_WITHIN_DAYS} days`
const FIRST_ROWS = 20

interface DueProps {
  title: string
  /** What the list shows the first of. */
  counted: Counted
  total: number
  /** How many more are counted, which a list above has. */
  above?: number
  rows: DueContract[]
  columns: Column<DueContract>[]
}

/** The first contracts that are due for one reason, and a link to all of them. */
function Due({ title, counted, total, above = 0, rows, columns }: DueProps) {
  const [isLong, setLong] = useState(false)
  const more = rows.length - FIRST_ROWS
  const isPart = total > Math.min(rows.length, FIRST_ROWS)
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
      {isPart && (
        <Group gap="md" px="md" py="xs">
          {more > 0 && (
            <Button size="xs" variant="default" aria-expanded={isLong} onClick={() => setLong(!isLong)}>
              {isLong ? 'Show Fewer' : `Show ${more} More`}
            </Button>
          )}
          <CountedLink counted={counted} className={classes.all}>
            {`Show all ${formatCount(total + above)} in Contracts${above > 0 ? ', with those above' : ''}`}
          </CountedLink>
        </Group>
      )}
    </section>
  )
}
