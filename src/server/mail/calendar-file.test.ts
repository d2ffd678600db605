import { expect, test } from 'vitest'
import { toDay } from '#shared/domain/day.ts'
import { calendarFile } from './calendar-file.ts'

test('a day is the same in every time zone, and a text stays one text', () => {
  const { content } = calendarFile({
    id: '7@traxx.test',
    day: toDay('2027-06-30'),
    summary: 'Ends: hosting, "gold";\nBEGIN:VALARM',
    description: 'With Mill & Sons',
    at: new Date('2026-06-01T10:00:00Z'),
  })
  const lines = content.split('\r\n')
  expect(lines).toContain('DTSTART;VALUE=DATE:20270630')
  expect(lines).toContain('DTSTAMP:20260601T100000Z')
  expect(lines).toContain('UID:7@traxx.test')
  expect(lines.filter((line) => line.startsWith('BEGIN:'))).toEqual(['BEGIN:VCALENDAR', 'BEGIN:VEVENT'])
})
