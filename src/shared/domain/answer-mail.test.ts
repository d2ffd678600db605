import { describe, expect, test } from 'vitest'
import { answerMailObstacle, LATEST_ANSWER_DAYS } from './answer-mail.ts'
import { addDays, toDay } from './day.ts'
import { customerLine, type Addressee, type Readers } from './reminder-plan.ts'

const DAY = toDay('2026-03-10')
const READER: Addressee = { email: 'a@harbor.test', sendNotifications: true, hasBounced: false, closed: null }
const READERS: Readers = { customer: READER, owner: { ...READER, email: 'owner@mill.test' } }
const MAIL = { ...customerLine(0), kind: 'reply', day: DAY } as const

describe('an email about an answer', () => {
  test('is sent for a week, and not later', () => {
    expect(answerMailObstacle(READERS, MAIL, addDays(DAY, LATEST_ANSWER_DAYS))).toBeUndefined()
    expect(answerMailObstacle(READERS, MAIL, addDays(DAY, LATEST_ANSWER_DAYS + 1))).toBe('too_late')
  })

  test.each([
    ['unsubscribed', { closed: 'unsubscribed' }],
    ['opted_out', { sendNotifications: false }],
    ['no_address', { email: null }],
    ['address_bounced', { hasBounced: true }],
  ] as const)('is not sent to somebody it does not reach: %s', (obstacle, change) => {
    expect(answerMailObstacle({ ...READERS, customer: { ...READER, ...change } }, MAIL, DAY)).toBe(obstacle)
  })

  test('is sent to a contact whose address an earlier one has too, and not to one that is gone', () => {
    const mail = { ...MAIL, ...customerLine(5) }
    const contacts = [{ ...READER, id: 5, from: DAY }]
    expect(answerMailObstacle({ ...READERS, contacts }, mail, DAY)).toBeUndefined()
    expect(answerMailObstacle(READERS, mail, DAY)).toBe('contact_off')
  })
})
