import { fc, test } from '@fast-check/vitest'
import { expect } from 'vitest'
import { addDays, toDay } from './day.ts'
import { isNoticeDue, noticeObstacle, type MessageBefore, type NoticedSubject } from './notice-plan.ts'
import { customerLine } from './reminder-plan.ts'

const WINDOW = { from: toDay('2026-03-02'), through: toDay('2026-03-17') }
const REACHABLE = { email: 'orders@harbor.test', sendNotifications: true, hasBounced: false, closed: null }

function aSubject(changes: Partial<NoticedSubject> = {}): NoticedSubject {
  return {
    contract: { status: 'active', renewalDate: toDay('2026-04-01') },
    customer: REACHABLE,
    owner: REACHABLE,
    ...changes,
  }
}

const obstacleOn = (day: string, changes: Partial<NoticedSubject> = {}, window: typeof WINDOW | null = WINDOW) =>
  noticeObstacle(aSubject(changes), customerLine(0), { window, today: toDay(day) })

test('a notice is sent from the first to the last day of its window, and on no other', () => {
  expect(obstacleOn('2026-03-01')).toBe('not_due')
  expect(obstacleOn('2026-03-02')).toBeUndefined()
  expect(obstacleOn('2026-03-17')).toBeUndefined()
  expect(obstacleOn('2026-03-18')).toBe('too_late')
  expect(obstacleOn('2026-03-10', {}, null)).toBe('not_due')
})

test.each([
  ['closed', { contract: { status: 'expired', renewalDate: toDay('2026-04-01') } }],
  ['ending', { isEnding: true }],
  ['muted', { isMuted: true }],
  ['no_address', { customer: { ...REACHABLE, email: null } }],
  ['address_bounced', { customer: { ...REACHABLE, hasBounced: true } }],
  ['opted_out', { customer: { ...REACHABLE, sendNotifications: false } }],
] as const)('it is not sent as %s', (obstacle, changes) => {
  expect(obstacleOn('2026-03-10', changes)).toBe(obstacle)
})

const TODAY = toDay('2026-03-10')
const due = (before: Partial<MessageBefore>[], today = TODAY) =>
  isNoticeDue(
    before.map((one) => ({ kind: 'notice', day: toDay('2026-03-09'), state: 'sent', reason: null, ...one })),
    { window: WINDOW, today },
  )

test.each([
  ['nothing was sent', [], true],
  ['it was sent', [{}], false],
  ['it waits', [{ state: 'planned' }], false],
  ['it waits since before the window', [{ state: 'planned', day: toDay('2026-03-01') }], false],
  ['it is being sent since before the window', [{ state: 'sending', day: toDay('2026-03-01') }], false],
  ['it was put off until after the window', [{ state: 'planned', day: toDay('2026-03-18') }], true],
  ['it bounced', [{ state: 'bounced' }], true],
  ['it was skipped for a reason that may be over', [{ state: 'skipped', reason: 'limited' }], true],
  ['it was skipped today', [{ state: 'skipped', reason: 'limited', day: TODAY }], false],
  ['the owner skipped it', [{ state: 'skipped', reason: 'by_hand' }], false],
  ['it may have been sent', [{ state: 'failed', reason: 'unknown' }], false],
  ['it was refused', [{ state: 'failed', reason: 'refused' }], true],
  ['one was sent before the window', [{ day: toDay('2026-03-01') }], true],
  ['one was sent after the window, while the clock was wrong', [{ day: toDay('2026-03-18') }], true],
  ['a reminder was sent today', [{ kind: 'reminder', day: TODAY }], false],
  ['a reminder was sent yesterday', [{ kind: 'reminder' }], true],
  ['a reminder is planned today', [{ kind: 'reminder', day: TODAY, state: 'planned' }], true],
  ['a confirmation is planned today', [{ kind: 'confirmation', day: TODAY, state: 'planned' }], false],
  ['a confirmation has been waiting since yesterday', [{ kind: 'confirmation', state: 'planned' }], true],
] as const)('after %s: due %j', (_what, before, isDue) => {
  expect(due([...before])).toBe(isDue)
})

test('on the last day it is due even after a reminder of the same day', () => {
  expect(due([{ kind: 'reminder', day: WINDOW.through }], WINDOW.through)).toBe(true)
})

const anyBefore = fc.array(
  fc.record({
    kind: fc.constantFrom('notice', 'reminder', 'confirmation'),
    day: fc.nat(20).map((days) => addDays(toDay('2026-02-25'), days)),
    state: fc.constantFrom<MessageBefore['state']>(
      'planned',
      'sending',
      'sent',
      'delivered',
      'bounced',
      'skipped',
      'failed',
    ),
    reason: fc.constantFrom<string | null>(null, 'by_hand', 'limited', 'unknown'),
  }),
)

test.prop([anyBefore])('whatever happened, a notice that was sent is not sent again', (before) => {
  const isSent = before.some(
    ({ kind, day, state }) =>
      kind === 'notice' && day >= WINDOW.from && day <= WINDOW.through && (state === 'sent' || state === 'delivered'),
  )
  if (isSent) expect(due(before)).toBe(false)
})
