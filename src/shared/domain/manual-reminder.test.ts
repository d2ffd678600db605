import { expect, test } from 'vitest'
import { toDay } from './day.ts'
import { manualObstacle, type ManualSubject } from './manual-reminder.ts'

const TODAY = toDay('2026-11-21')
const REACHABLE = { email: 'orders@harbor.test', sendNotifications: true, hasBounced: false, closed: null }
const SUBJECT: ManualSubject = {
  status: 'active',
  customer: REACHABLE,
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
  [{ lastSentOn: TODAY }, 'sent_today'],
  [{ isOnItsWay: true }, 'on_its_way'],
  [{ isMailStopped: true }, 'mail_stopped'],
  [{ isOwnerVerified: false, status: 'expired' }, 'unverified'],
  [{ hasCompanyName: false, status: 'expired' }, 'no_company'],
] as const)('by hand, %o: %s', (changes, expected) => {
  expect(manualObstacle({ ...SUBJECT, ...changes }, TODAY)).toBe(expected)
})
