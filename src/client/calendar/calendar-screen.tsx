import { Button, Group, Stack, Title } from '@mantine/core'
import { useMediaQuery, useWindowEvent } from '@mantine/hooks'
import { ChevronLeftIcon, ChevronRightIcon } from '@radix-ui/react-icons'
import { keepPreviousData } from '@tanstack/react-query'
import { useState } from 'react'
import { monthOf, type Day } from '#shared/domain/day.ts'
import { QueryError } from '#client/api/query-error.tsx'
import { trpc } from '#client/api/trpc.ts'
import { useAccountToday } from '#client/api/use-account-today.ts'
import { areShortcutsOn, plainKey } from '#client/browser/plain-key.ts'
import type { Move } from '#client/renewals/renewal-move.ts'
import { useMoveRenewal } from '#client/renewals/use-move-renewal.tsx'
import { formatMonth } from '#client/text/format.ts'
import { EmptyState } from '#client/ui/empty-state.tsx'
import { whenButtonNears } from '#client/ui/on-demand.tsx'
import { PageHeader } from '#client/ui/page-header.tsx'
import { Placeholder } from '#client/ui/placeholder.tsx'
import type { CalendarSearch } from './calendar-search.ts'
import { emptyDay, figuresWith, neighborOf, noticesByDay, renewalsByDay, shownBy, spanOf } from './calendar-view.ts'
import type { Contract, Shown } from './calendar-view.ts'
import { DayContracts } from './day-contracts.tsx'
import { DayList } from './day-list.tsx'
import { MonthGrid } from './month-grid.tsx'
import { YearView } from './year-view.tsx'
import classes from './calendar.module.css'

interface CalendarScreenProps {
  /** From the address. */
  search: CalendarSearch
  /** `within`: the same view, so that Back does not lead through every day. */
  onGo: (search: CalendarSearch, how?: { within: boolean }) => void
}

/** When contracts renew and when notice can last be given, by month or by year. */
export function CalendarScreen({ search, onGo }: CalendarScreenProps) {
  const today = useAccountToday()()
  const shown = shownBy(search, today)
  const span = spanOf(shown)
  const days = trpc.calendar.days.useQuery(span, { placeholderData: keepPreviousData })
  useKeys({ shown, onGo, goToToday: () => onGo({ month: monthOf(today), day: today }) })
  const isEmpty = days.data?.days.length === 0 && !days.isPlaceholderData
  return (
    <Stack gap="lg">
      <PageHeader title="Calendar" description="Renewals and last days for notice of your open contracts">
        <Switch shown={shown} onGo={onGo} />
      </PageHeader>
      <Steps shown={shown} today={today} onGo={onGo} />
      <QueryError query={days} failed="Failed to fetch the calendar" />
      {days.isPending && <Placeholder heights={[480]} />}
      {days.data && shown.kind === 'year' && (
        <YearView year={shown.year} today={today} figures={figuresWith(days.data.days, undefined)} />
      )}
      {days.data && shown.kind === 'month' && (
        <Month
          key="month"
          {...{ shown, span, today, onGo, isEmpty }}
          days={days.data.days}
          busy={days.isPlaceholderData}
        />
      )}
      {isEmpty && shown.kind === 'year' && <EmptyState title="Nothing this year" hint={NOTHING} />}
    </Stack>
  )
}

const NOTHING = 'No open contract renews or needs notice in this time.'

interface MonthProps extends Pick<CalendarScreenProps, 'onGo'> {
  shown: Shown
  span: { from: Day; through: Day }
  today: Day
  days: Parameters<typeof figuresWith>[0]
  busy: boolean
  isEmpty: boolean
}

function Month({ shown, span, today, onGo, days, busy, isEmpty }: MonthProps) {
  const [dragged, setDragged] = useState<Contract>()
  const { moving, move, ask, prefetch, dialog } = useMoveRenewal()
  const isNarrow = useMediaQuery('(max-width: 47.99em)', false, { getInitialValueInEffect: false })
  const { names, isPending } = useNames(span, moving)
  const figures = figuresWith(days, moving)
  const acts = { onDrag: setDragged, onAsk: ask }
  const { first, selected } = shown
  const parts = { first, selected, figures, names }
  const drop = (day: Day) => {
    if (dragged) move(dragged, day)
    setDragged(undefined)
  }
  if (isNarrow) {
    return (
      <div {...whenButtonNears(prefetch)}>
        {/* Without the names the days would be shorter, and move once the names come. */}
        {isPending && !isEmpty ? <Placeholder heights={[480]} /> : <DayList {...parts} acts={acts} />}
        {isEmpty && <EmptyState title="Nothing this month" hint={NOTHING} />}
        {dialog}
      </div>
    )
  }
  return (
    <div className={classes.month} {...whenButtonNears(prefetch)}>
      <MonthGrid
        {...parts}
        {...{ today, dragged, busy }}
        onSelect={(day) => onGo({ month: monthOf(day), day }, { within: true })}
        onDrag={setDragged}
        onDrop={drop}
      />
      <DayContracts
        key={selected ?? today}
        day={selected ?? today}
        figures={figures.get(selected ?? today) ?? emptyDay(selected ?? today)}
        acts={acts}
      />
      {dialog}
    </div>
  )
}

/** The contracts of the days on screen, if there are few enough to name all. */
function useNames(span: { from: Day; through: Day }, moving: Move | undefined) {
  const { data, isPending } = trpc.calendar.contracts.useQuery(span)
  const areAll = data && data.renewalTotal === data.renewals.length && data.noticeTotal === data.notices.length
  const names = areAll && { renewals: renewalsByDay(data.renewals, moving), notices: noticesByDay(data.notices) }
  return { names: names || undefined, isPending }
}

type StepsProps = Pick<CalendarScreenProps, 'onGo'> & { shown: Shown; today: Day }

function Steps({ shown, today, onGo }: StepsProps) {
  const unit = shown.kind
  return (
    <Group gap="sm">
      <Button variant="default" px="xs" aria-label={`Previous ${unit}`} onClick={() => onGo(neighborOf(shown, -1))}>
        <ChevronLeftIcon aria-hidden />
      </Button>
      <Button variant="default" onClick={() => onGo(unit === 'year' ? { year: today.slice(0, 4) } : todayIn(today))}>
        Today
      </Button>
      <Button variant="default" px="xs" aria-label={`Next ${unit}`} onClick={() => onGo(neighborOf(shown, 1))}>
        <ChevronRightIcon aria-hidden />
      </Button>
      <Title order={2} size="h3" aria-live="polite">
        {shown.kind === 'year' ? shown.year : formatMonth(monthOf(shown.first))}
      </Title>
    </Group>
  )
}

function todayIn(today: Day): CalendarSearch {
  return { month: monthOf(today), day: today }
}

function Switch({ shown, onGo }: Omit<StepsProps, 'today'>) {
  const look = (kind: Shown['kind']) => ({
    variant: shown.kind === kind ? 'filled' : 'default',
    'aria-pressed': shown.kind === kind,
  })
  return (
    <Group gap={0} role="group" aria-label="View">
      <Button {...look('month')} onClick={() => shown.kind === 'year' && onGo({ month: monthOf(shown.first) })}>
        Month
      </Button>
      <Button {...look('year')} onClick={() => onGo({ year: shown.first.slice(0, 4) })}>
        Year
      </Button>
    </Group>
  )
}

type Keys = Pick<CalendarScreenProps, 'onGo'> & { shown: Shown; goToToday: () => void }

/** `t` goes to today; arrow keys outside of anything else to the month or year before or after. */
function useKeys({ shown, onGo, goToToday }: Keys): void {
  useWindowEvent('keydown', (event) => {
    if (!areShortcutsOn()) return
    const isOnPage = event.target === document.body || (event.target instanceof Element && event.target.id === 'main')
    const isPlain = isOnPage && !event.altKey && !event.ctrlKey && !event.metaKey
    if (plainKey(event) === 't') goToToday()
    if (isPlain && event.key === 'ArrowLeft') onGo(neighborOf(shown, -1))
    if (isPlain && event.key === 'ArrowRight') onGo(neighborOf(shown, 1))
  })
}
