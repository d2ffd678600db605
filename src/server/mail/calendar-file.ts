import ical from 'ical-generator'
import type { Day } from '#shared/domain/day.ts'
import type { Attachment } from './mailer.ts'

interface DayToRemember {
  /** The same for each version of the same day, in all calendars. */
  id: string
  day: Day
  summary: string
  description: string
  /** When it was written. */
  at: Date
}

/** A calendar file with one day, which any calendar program can add. */
export function calendarFile({ id, day, summary, description, at }: DayToRemember): Attachment {
  const calendar = ical({ prodId: '//TRAXX//contracts//EN' })
  calendar.createEvent({ id, start: day, allDay: true, summary, description, stamp: at })
  return { fileName: 'contract.ics', type: 'text/calendar; charset=utf-8', content: calendar.toString() }
}
