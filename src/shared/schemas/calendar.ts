import * as z from 'zod/mini'
import { day } from './fields.ts'

const NOT_A_DAY = 'Must be a date as YYYY-MM-DD'

/** Days of the calendar, both included; this month unless given. */
export const CalendarDays = z.object({ from: z.optional(day(NOT_A_DAY)), through: z.optional(day(NOT_A_DAY)) })
export type CalendarDays = z.output<typeof CalendarDays>
