import type { FastifyInstance } from 'fastify'
import { CalendarDays } from '#shared/schemas/calendar.ts'
import { requireReader } from '#server/context.ts'
import { calendarContracts, readCalendar } from '#server/contracts/calendar.service.ts'
import { alsoAScreen } from './answers/also-a-screen.ts'
import { inputOf, takes } from './input.ts'

export async function calendarRoutes(app: FastifyInstance) {
  app.get('/calendar', alsoAScreen(CalendarDays), async (request) =>
    readCalendar(requireReader(request.context), inputOf(CalendarDays, request)),
  )

  app.get('/calendar/contracts', takes(CalendarDays), async (request) =>
    calendarContracts(requireReader(request.context), inputOf(CalendarDays, request)),
  )
}
