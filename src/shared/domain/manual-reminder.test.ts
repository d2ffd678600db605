import { expect, test } from 'vitest'
import { toDay } from './day.ts'
import { manualObstacle, type ManualSubject } from './manual-reminder.ts'
import { customerLine } from './reminder-plan.ts'

const TODAY = toDay('2026-11-21')
const REACHABLE = { email: 'orders@harbor.test', sendNotifications: true, hasBounced: false, closed: null }
const SUBJECT: ManualSubject = {
  status: 'active',
  customer: REACHABLE,
  owner: REACHABLE,
  lines: [customerLine(0)],
  isAnswered: false,
  lastSentOn: null,
  isOnItsWay: false,
  hasCompanyName: true,
  isOwnerVerified: true,
  isMailStopped: false,
}

test.each([
  [{}, undefined],
  [{ status: 'pending', lastSentOn: toDay('2026-11-20') }, undefined],
  [{ status: 'expired' }, 'closed'],
  [{ customer: { ...REACHABLE, email: null } }, 'no_address'],
  [{ customer: { ...REACHABLE, sendNotifications: false } }, 'opted_out'],
  [{ customer: { ...REACHABLE, hasBounced: true } }, 'address_bounced'],
  [{ customer: { ...REACHABLE, closed: 'unsubscribed' as const } }, 'unsubscribed'],
  [{ isAnswered: true, lastSentOn: TODAY }, 'answered'],
  [{ lastSentOn: TODAY }, 'sent_today'],
  [{ isOnItsWay: true }, 'on_its_way'],
  [{ isMailStopped: true }, 'mail_stopped'],
  [{ isOwnerVerified: false, status: 'expired' }, 'unverified'],
  [{ hasCompanyName: false, status: 'expired' }, 'no_company'],
] as const)('by hand, %o: %s', (changes, expected) => {
  expect(manualObstacle({ ...SUBJECT, ...changes }, TODAY)).toBe(expected)
})

test('by hand, it is sent if one of the contacts can be reached, and refused for the reason of the first otherwise', () => {
  const contact = { ...REACHABLE, id: 5, email: 'buyer@harbor.test', from: TODAY }
  const lines = [customerLine(0), customerLine(5)]
  const subject = { ...SUBJECT, lines, customer: { ...REACHABLE, email: null }, contacts: [contact] }
  expect(manualObstacle(subject, TODAY)).toBeUndefined()
  const bounced = { ...subject, contacts: [{ ...contact, hasBounced: true }] }
  expect(manualObstacle(bounced, TODAY)).toBe('no_address')
  expect(manualObstacle({ ...bounced, lines: [customerLine(5)] }, TODAY)).toBe('address_bounced')
  expect(manualObstacle({ ...subject, lines: [customerLine(6)] }, TODAY)).toBe('contact_off')
})
