import { fc, test as property } from '@fast-check/vitest'
import { expect, test } from 'vitest'
import { COMPLAINT_LIMITS, isOverComplaintRate } from './complaint-rate.ts'

test.each([
  [{ complaints: 0, mails: 0, isInTrial: true }, false],
  [{ complaints: 1, mails: 1, isInTrial: true }, false],
  [{ complaints: 2, mails: 100_000, isInTrial: true }, true],
  [{ complaints: 2, mails: 2, isInTrial: false }, false],
  [{ complaints: 3, mails: 599, isInTrial: false }, true],
  [{ complaints: 3, mails: 600, isInTrial: false }, false],
  [{ complaints: 4, mails: 600, isInTrial: false }, true],
])('%o is over the rate: %s', (count, isOver) => {
  expect(isOverComplaintRate(count, COMPLAINT_LIMITS)).toBe(isOver)
})

property.prop([fc.nat(500), fc.nat(100_000), fc.boolean()])(
  'one complaint more never makes it better, and one email more never worse',
  (complaints, mails, isInTrial) => {
    const isOver = isOverComplaintRate({ complaints, mails, isInTrial }, COMPLAINT_LIMITS)
    const withMore = isOverComplaintRate({ complaints: complaints + 1, mails, isInTrial }, COMPLAINT_LIMITS)
    const withMails = isOverComplaintRate({ complaints, mails: mails + 1, isInTrial }, COMPLAINT_LIMITS)
    expect(withMore || !isOver).toBe(true)
    expect(isOver || !withMails).toBe(true)
  },
)
