import * as z from 'zod/mini'
import { isDay } from '#shared/domain/day.ts'

const [FIRST, LAST] = ['1901-01', '2998-12']

/** The address of the calendar: a month, or a whole year, and the day whose contracts are listed. */
export const CalendarSearch = z.object({
  month: z.optional(z.string().check(z.refine((month) => isDay(`${month}-01`) && month >= FIRST && month <= LAST))),
  year: z.optional(
    z.string().check(
      z.regex(/^\d{4}$/),
      z.refine((year) => year > FIRST && `${year}-12` <= LAST),
    ),
  ),
  day: z.optional(z.string().check(z.refine((day) => isDay(day) && day >= FIRST && day <= `${LAST}-31`))),
})
export type CalendarSearch = z.output<typeof CalendarSearch>
