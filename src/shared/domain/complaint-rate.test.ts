import { fc, test as property } from '@fast-check/vitest'
import { expect, test } from 'vitest'
import { COMPLAINT_LIMITS, isOverComplaintRate } from './complaint-rate.ts'

test.each([
  [{ complaints: 0, mails: 0, isPaying: false }, false],
  [{ complaints: 1, mails: 1, isPaying: false }, false],
  [{ complaints: 2, mails: 100_000, isPaying: false }, true],
  [{ complaints: 2, mails: 2, isPaying: true }, false],
  [{ complaints: 3, mails: 599, isPaying: true }, true],
  [{ complaints: 3, mails: 600, isPaying: true }, false],
  [{ complaints: 4, mails: 600, isPaying: true }, true],
])('%o is over the rate: %s', (count, isOver) => {
  expect(isOverComplaintRate(count, COMPLAINT_LIMITS)).toBe(isOver)
})

property.prop([fc.nat(500), fc.nat(100_000), fc.boolean()])(
  'one complaint more never makes it better, and one email more never worse',
  (complaints, mails, isPaying) => {
    const isOver = isOverComplaintRate({ complaints, mails, isPaying }, COMPLAINT_LIMITS)
    const withMore = isOverComplaintRate({ complaints: complaints + 1, mails, isPaying }, COMPLAINT_LIMITS)
    const withMails = isOverComplaintRate({ complaints, mails: mails + 1, isPaying }, COMPLAINT_LIMITS)
    expect(withMore || !isOver).toBe(true)
    expect(isOver || !withMails).toBe(true)
  },
)
