import { weeksOfMonth } from '#shared/domain/calendar.ts'
import { addMonths, monthOf, toDay, type Day } from '#shared/domain/day.ts'
import type { Outputs } from '#client/api/trpc.ts'
import type { Move } from '#client/renewals/renewal-move.ts'
import type { CalendarSearch } from './calendar-search.ts'

export type CalendarDay = Outputs['calendar']['days']['days'][number]
export type Contract = Outputs['calendar']['contracts']['renewals'][number]

/** What the address shows: a year, or the month of the day that it names, of today otherwise. */
export function shownBy({ month, year, day }: CalendarSearch, today: Day) {
  const selected = day === undefined ? undefined : toDay(day)
  if (year !== undefined) return { kind: 'year' as const, year, first: toDay(`${year}-01-01`), selected }
  return { kind: 'month' as const, first: toDay(`${month ?? monthOf(selected ?? today)}-01`), selected }
}

export type Shown = ReturnType<typeof shownBy>

/** The address of the month or year before or after. */
export function neighborOf(shown: Shown, step: 1 | -1): CalendarSearch {
  if (shown.kind === 'year') return { year: String(Number(shown.year) + step) }
  return { month: monthOf(addMonths(shown.first, step)) }
}

/** The days that are on screen. */
export function spanOf(shown: Shown) {
  if (shown.kind === 'year') return { from: shown.first, through: toDay(`${shown.year}-12-31`) }
  const days = weeksOfMonth(shown.first).flat()
  return { from: days[0] ?? shown.first, through: days.at(-1) ?? shown.first }
}

export function emptyDay(day: Day): CalendarDay {
  return { day, renewals: 0, renewalAmount: 0, notices: 0, noticeAmount: 0 }
}

/** The figures by day, as if the move had been saved. */
export function figuresWith(days: CalendarDay[], move: Move | undefined): Map<Day, CalendarDay> {
  const figures = new Map(days.map((one) => [one.day, one]))
  if (!move) return figures
  const { amount, renewalDate } = move.contract
  const add = (day: Day, sign: 1 | -1) => {
    const before = figures.get(day) ?? emptyDay(day)
    const renewals = Math.max(0, before.renewals + sign)
    figures.set(day, { ...before, renewals, renewalAmount: renewals === 0 ? 0 : before.renewalAmount + sign * amount })
  }
  add(renewalDate, -1)
  add(move.to, 1)
  return figures
}

/** The contracts by the day on which they renew, as if the move had been saved. */
export function renewalsByDay(contracts: Contract[], move: Move | undefined): Map<Day, Contract[]> {
  const moved = move ? [...contracts.filter(({ id }) => id !== move.contract.id), move.contract] : contracts
  return Map.groupBy(moved, (contract) => (contract.id === move?.contract.id ? move.to : contract.renewalDate))
}

export function noticesByDay(contracts: Contract[]): Map<Day | null, Contract[]> {
  return Map.groupBy(contracts, ({ noticeDate }) => noticeDate)
}

/** A contract that goes on: its renewal can be moved. */
export function isMovable({ endsOn }: Contract): boolean {
  return endsOn === null
}
