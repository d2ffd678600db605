import { Anchor, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { weeksOfMonth } from '#shared/domain/calendar.ts'
import { monthOf, toDay, type Day } from '#shared/domain/day.ts'
import { formatMonth, formatWeekday } from '#client/text/format.ts'
import { dayLabel, dayText } from './calendar-words.ts'
import type { CalendarDay } from './calendar-view.ts'
import classes from './calendar.module.css'

interface YearViewProps {
  year: string
  today: Day
  figures: Map<Day, CalendarDay>
}

/** Twelve small months, each day the darker the more renews on it. A month and a day lead to their page. */
export function YearView({ year, today, figures }: YearViewProps) {
  const most = Math.max(...[...figures.values()].map(({ renewalAmount }) => renewalAmount), 0)
  return (
    <div className={classes.year}>
      {Array.from({ length: 12 }, (_, index) => toDay(`${year}-${String(index + 1).padStart(2, '0')}-01`)).map(
        (first) => (
          <SmallMonth key={first} first={first} today={today} figures={figures} most={most} />
        ),
      )}
    </div>
  )
}

const LEVELS = 4

type SmallMonthProps = Omit<YearViewProps, 'year'> & { first: Day; most: number }

function SmallMonth({ first, today, figures, most }: SmallMonthProps) {
  const month = monthOf(first)
  const weeks = weeksOfMonth(first)
  const total = totalOf([...figures.values()].filter(({ day }) => monthOf(day) === month))
  return (
    <section aria-label={formatMonth(month)}>
      <Anchor fw={600} renderRoot={(props) => <Link to="/calendar" search={{ month }} {...props} />}>
        {formatMonth(month)}
      </Anchor>
      <Text size="xs" c="dimmed" mb={6}>
        {dayText(total)}
      </Text>
      <div className={classes.small}>
        {weeks[0]?.map((day) => (
          <span key={day} aria-hidden className={classes.letter}>
            {formatWeekday(day).slice(0, 1)}
          </span>
        ))}
        {weeks.flat().map((day) => (
          <SmallDay
            key={day}
            day={day}
            isOutside={monthOf(day) !== month}
            {...{ today, most }}
            figures={figures.get(day)}
          />
        ))}
      </div>
    </section>
  )
}

interface SmallDayProps {
  day: Day
  today: Day
  most: number
  isOutside: boolean
  figures: CalendarDay | undefined
}

function SmallDay({ day, today, most, isOutside, figures }: SmallDayProps) {
  if (isOutside) return <span />
  const number = Number(day.slice(8))
  const now = { 'data-today': day === today ? true : undefined }
  if (!figures || figures.renewals + figures.notices === 0) {
    return (
      <span className={classes.smallDay} {...now}>
        {number}
      </span>
    )
  }
  return (
    <Link
      to="/calendar"
      search={{ month: monthOf(day), day }}
      className={classes.smallDay ?? ''}
      title={dayText(figures)}
      aria-label={dayLabel(figures)}
      data-level={most === 0 ? 0 : Math.ceil((figures.renewalAmount / most) * LEVELS)}
      data-notice={figures.notices > 0 ? true : undefined}
      {...now}
    >
      {number}
    </Link>
  )
}

function totalOf(days: CalendarDay[]): Omit<CalendarDay, 'day'> {
  const sum = (amountOf: (day: CalendarDay) => number) => days.reduce((total, day) => total + amountOf(day), 0)
  return {
    renewals: sum(({ renewals }) => renewals),
    renewalAmount: sum(({ renewalAmount }) => renewalAmount),
    notices: sum(({ notices }) => notices),
    noticeAmount: sum(({ noticeAmount }) => noticeAmount),
  }
}
