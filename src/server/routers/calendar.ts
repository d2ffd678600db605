import { CalendarDays } from '#shared/schemas/calendar.ts'
import { calendarContracts, readCalendar } from '#server/contracts/calendar.service.ts'
import { readerProcedure, router } from '#server/trpc.ts'

export const calendarRouter = router({
  days: readerProcedure.input(CalendarDays).query(({ ctx, input }) => readCalendar(ctx, input)),
  contracts: readerProcedure.input(CalendarDays).query(({ ctx, input }) => calendarContracts(ctx, input)),
})
