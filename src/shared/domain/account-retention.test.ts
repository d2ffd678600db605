import { describe, expect, test } from 'vitest'
import type { SubscriptionState } from './access.ts'
import { plannedDeletion, type DeletionNotices } from './account-retention.ts'

const ENDED = new Date('2026-01-01T12:00:00Z')
const canceled: SubscriptionState = {
  status: 'canceled',
  trialEnd: null,
  pastDueSince: null,
  endedAt: ENDED,
  everPaidOrTrialed: true,
}
const NONE = { firstAt: null, lastAt: null }

function day(days: number): Date {
  return new Date(ENDED.getTime() + days * 86_400_000)
}

function planOn(days: number, notices: DeletionNotices = NONE, subscription = canceled) {
  return plannedDeletion(subscription, notices, { keptDays: 90, now: day(days) })
}

test('an account is deleted 90 days after its access ended, and its owner is told 30 and 7 days before', () => {
  expect(planOn(0)).toEqual({ step: 'first notice', stepAt: day(60), deletesAt: day(90), endedAt: ENDED })
  const firstAt = day(60)
  expect(planOn(61, { firstAt, lastAt: null })).toMatchObject({
    step: 'last notice',
    stepAt: day(83),
    deletesAt: day(90),
  })
  const told = { firstAt, lastAt: day(83) }
  expect(planOn(84, told)).toMatchObject({ step: 'deletion', stepAt: day(90), deletesAt: day(90) })
})

describe('where the owner was told late', () => {
  test('the deletion is 30 days after the first notice', () => {
    expect(planOn(400)).toMatchObject({ step: 'first notice', stepAt: day(60), deletesAt: day(430) })
    expect(planOn(401, { firstAt: day(400), lastAt: null })).toMatchObject({ stepAt: day(423), deletesAt: day(430) })
  })

  test('and never less than 7 days after the last one', () => {
    expect(planOn(95, { firstAt: day(60), lastAt: null })).toMatchObject({ step: 'last notice', deletesAt: day(102) })
    expect(planOn(96, { firstAt: day(60), lastAt: day(95) })).toMatchObject({ step: 'deletion', deletesAt: day(102) })
  })
})

test('notices of an earlier end do not count', () => {
  const before = { firstAt: day(-40), lastAt: day(-17) }
  expect(planOn(85, before)).toMatchObject({ step: 'first notice', deletesAt: day(115) })
})

describe('nothing is planned for an account', () => {
  test.each(['trialing', 'active', 'past_due', 'unpaid', 'paused', 'incomplete', 'never heard of'])(
    'whose subscription is %s',
    (status) => {
      expect(planOn(900, NONE, { ...canceled, status })).toBeNull()
    },
  )

  test('that never had a subscription', () => {
    expect(plannedDeletion(null, NONE, { keptDays: 90, now: day(900) })).toBeNull()
    expect(planOn(900, NONE, { ...canceled, status: 'incomplete_expired', everPaidOrTrialed: false })).toBeNull()
  })

  test('of which nobody knows when its access ended', () => {
    expect(planOn(900, NONE, { ...canceled, endedAt: null })).toBeNull()
  })
})
