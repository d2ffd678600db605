import { Anchor, Stack, Text, Title } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { monthOf, type Day } from '#shared/domain/day.ts'
import { formatLongDay } from '#client/text/format.ts'
import { DayContracts, DayLists } from './day-contracts.tsx'
import { dayText } from './calendar-words.ts'
import type { RenewalActs } from './contract-entry.tsx'
import type { CalendarDay, Contract } from './calendar-view.ts'
import classes from './calendar.module.css'

interface DayListProps {
  first: Day
  selected: Day | undefined
  figures: Map<Day, CalendarDay>
  names: { renewals: Map<Day, Contract[]>; notices: Map<Day | null, Contract[]> } | undefined
  acts: RenewalActs
}

/** A month on a phone: the days on which there is something. Of many contracts, a day shows its own when it is chosen. */
export function DayList({ first, selected, figures, names, acts }: DayListProps) {
  const month = monthOf(first)
  const days = [...figures.values()]
    .filter((one) => monthOf(one.day) === month && one.renewals + one.notices > 0)
    .toSorted((one, other) => (one.day < other.day ? -1 : 1))
  return (
    <Stack gap="lg">
      {days.map((one) =>
        !names && one.day === selected ? (
          <DayContracts key={one.day} day={one.day} figures={one} acts={acts} />
        ) : (
          <Stack
            key={one.day}
            component="section"
            gap="xs"
            aria-label={formatLongDay(one.day)}
            className={classes.panel ?? ''}
          >
            <Title order={2} size="h5">
              {names ? (
                formatLongDay(one.day)
              ) : (
                <Anchor
                  inherit
                  renderRoot={(props) => (
                    <Link to="/calendar" search={{ month, day: one.day }} resetScroll={false} {...props} />
                  )}
                >
                  {formatLongDay(one.day)}
                </Anchor>
              )}
            </Title>
            {names ? (
              <DayLists
                figures={one}
                renewals={names.renewals.get(one.day) ?? []}
                notices={names.notices.get(one.day) ?? []}
                acts={acts}
              />
            ) : (
              <Text size="sm">{dayText(one)}</Text>
            )}
          </Stack>
        ),
      )}
    </Stack>
  )
}
