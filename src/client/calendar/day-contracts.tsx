import { Stack, Text, Title } from '@mantine/core'
import type { Day } from '#shared/domain/day.ts'
import { QueryError } from '#client/api/query-error.tsx'
import { trpc } from '#client/api/trpc.ts'
import { formatCount, formatLongDay, formatMoney } from '#client/text/format.ts'
import { Placeholder } from '#client/ui/placeholder.tsx'
import { NoticeEntry, RenewalEntry, type RenewalActs } from './contract-entry.tsx'
import type { CalendarDay, Contract } from './calendar-view.ts'
import classes from './calendar.module.css'

/** The contracts of a day, beside the month. */
export function DayContracts({ day, figures, acts }: { day: Day; figures: CalendarDay; acts: RenewalActs }) {
  const contracts = trpc.calendar.contracts.useQuery({ from: day, through: day })
  const isEmpty = figures.renewals + figures.notices === 0
  return (
    <Stack component="section" gap="sm" aria-label={formatLongDay(day)} className={classes.panel ?? ''}>
      <Title order={2} size="h4">
        {formatLongDay(day)}
      </Title>
      {isEmpty && (
        <Text size="sm" c="dimmed">
          No contract renews or needs notice on this day.
        </Text>
      )}
      {!isEmpty && contracts.isPending && <Placeholder heights={[80]} />}
      <QueryError query={contracts} failed="Failed to fetch the contracts of this day" />
      {contracts.data && <DayLists figures={figures} {...contracts.data} acts={acts} />}
    </Stack>
  )
}

interface DayListsProps {
  figures: CalendarDay
  renewals: Contract[]
  notices: Contract[]
  acts: RenewalActs
}

export function DayLists({ figures, renewals, notices, acts }: DayListsProps) {
  return (
    <>
      {renewals.length > 0 && (
        <>
          <Heading text="Renewals" count={figures.renewals} amount={figures.renewalAmount} shown={renewals.length} />
          <ul className={classes.entries} aria-label="Renewals">
            {renewals.map((contract) => (
              <RenewalEntry key={contract.id} contract={contract} acts={acts} />
            ))}
          </ul>
        </>
      )}
      {notices.length > 0 && (
        <>
          <Heading
            text="Last day for notice"
            count={figures.notices}
            amount={figures.noticeAmount}
            shown={notices.length}
          />
          <ul className={classes.entries} aria-label="Last day for notice">
            {notices.map((contract) => (
              <NoticeEntry key={contract.id} contract={contract} />
            ))}
          </ul>
        </>
      )}
    </>
  )
}

function Heading({ text, count, amount, shown }: { text: string; count: number; amount: number; shown: number }) {
  return (
    <Text size="sm" c="dimmed">
      {`${text}: ${formatCount(count)}, ${formatMoney(amount)}`}
      {count > shown && `. The first ${formatCount(shown)}:`}
    </Text>
  )
}
