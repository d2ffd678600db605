import { ActionIcon, Badge, Group, Text } from '@mantine/core'
import { EyeOpenIcon } from '@radix-ui/react-icons'
import { Link } from '@tanstack/react-router'
import { timeLeftTone } from '#shared/domain/contract-term.ts'
import { daysBetween } from '#shared/domain/day.ts'
import type { Outputs } from '#client/api/trpc.ts'
import { ChangeButton } from '#client/forms/read-only.tsx'
import type { Decisions } from '#client/renewals/use-decisions.tsx'
import { statusBadge, timeLeftText } from '#client/text/contract-words.ts'
import { formatDay, formatMoney } from '#client/text/format.ts'
import type { Column } from '#client/ui/lists/data-table.tsx'
import { whenButtonNears } from '#client/ui/on-demand.tsx'
import { SendReminder } from '#client/mail/by-hand/send-reminder.tsx'
import type { ReminderControl } from '#client/mail/by-hand/use-send-reminder.ts'
import classes from './attention-card.module.css'

export type DueContract = Outputs['dashboard']['get']['overdueContracts'][number]

const FIRST_COLUMNS: Column<DueContract>[] = [
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
]

export const COLUMNS: Column<DueContract>[] = [
  ...FIRST_COLUMNS,
  { header: 'Status', cell: (contract) => <StatusBadge contract={contract} /> },
  // Of one that ends, the status says the day.
  { header: 'Time Left', cell: ({ daysLeft, endsOn }) => endsOn === null && <TimeLeft daysLeft={daysLeft} /> },
]

/** Of contracts whose notice is due: the time left is the time to give it. */
export const NOTICE_COLUMNS: Column<DueContract>[] = [
  ...FIRST_COLUMNS,
  { header: 'Notice By', cell: ({ noticeDate }) => noticeDate && formatDay(noticeDate) },
  {
    header: 'Time Left',
    cell: ({ daysLeft, noticeDate, renewalDate }) =>
      noticeDate && <TimeLeft daysLeft={daysLeft - daysBetween(noticeDate, renewalDate)} />,
  },
]

interface RowActs {
  control: ReminderControl
  decisions: Decisions
  onPreview: (contract: DueContract) => void
  /** Fetches the preview. */
  prefetch: () => void
}

/** What can be done with a row. */
export function actionColumn({ control, decisions, onPreview, prefetch }: RowActs): Column<DueContract> {
  return {
    header: 'Action',
    unlabelled: true,
    cell: (contract) => (
      <Group
        gap={4}
        justify="inherit"
        className={classes.acts ?? ''}
        {...whenButtonNears(prefetch, decisions.prefetch)}
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

function Decide({ contract, decisions }: { contract: DueContract; decisions: Decisions }) {
  const { id, customerName, endsOn } = contract
  const quiet = { size: 'xs', variant: 'default' } as const
  const isEnding = endsOn !== null
  const [verb, act, onClick] = isEnding
    ? (['Keep Open', 'reopen', decisions.reopen] as const)
    : (['Not Renewing', 'end', decisions.end] as const)
  return (
    <>
      {!isEnding && (
        <ChangeButton
          {...quiet}
          aria-label={`Renew: ${customerName}`}
          busy={decisions.isPending('renew', id)}
          onClick={() => decisions.renew(contract)}
        >
          Renew
        </ChangeButton>
      )}
      {/* One button, so that after Keep Open the focus is not on Renew, which does not ask. */}
      <ChangeButton
        {...quiet}
        aria-label={`${verb}: ${customerName}`}
        busy={decisions.isPending(act, id)}
        onClick={() => onClick(contract)}
      >
        {verb}
      </ChangeButton>
    </>
  )
}

function StatusBadge({ contract }: { contract: DueContract }) {
  const { color, text } = contract.endsOn
    ? { color: 'gray', text: `Ends ${formatDay(contract.endsOn)}` }
    : statusBadge(contract)
  return <Badge color={color}>{text}</Badge>
}

function TimeLeft({ daysLeft }: { daysLeft: number }) {
  return (
    <Text component="span" size="sm" fw={600} className={classes.timeLeft ?? ''} data-tone={timeLeftTone(daysLeft)}>
      {timeLeftText(daysLeft)}
    </Text>
  )
}
