import { fc, test } from '@fast-check/vitest'
import { expect } from 'vitest'
import { ALWAYS_SEEN, EVER_SEEN, FOLDS, PLAY, seenAt, type Area } from './envelope-window.ts'

const isWithin = (inner: Area, outer: Area) =>
  inner.left >= outer.left && inner.right <= outer.right && inner.top >= outer.top && inner.bottom <= outer.bottom

test('the window of a #10 envelope shows the same 3 1/2 by 2/3 inches of the first third wherever the sheet is', () => {
  expect(FOLDS).toEqual([264, 528])
  expect(PLAY).toEqual({ right: 72, up: 33 })
  expect(ALWAYS_SEEN).toEqual({ left: 63, right: 315, top: 180, bottom: 228 })
  expect(EVER_SEEN).toEqual({ left: -9, right: 387, top: 147, bottom: 261 })
})

const shifts = fc.record({
  right: fc.double({ min: 0, max: PLAY.right, noNaN: true }),
  up: fc.double({ min: 0, max: PLAY.up, noNaN: true }),
})

test.prop([shifts])(
  'at every shift of the sheet the window shows that, and nothing outside of what it may show',
  (shift) => {
    expect(isWithin(ALWAYS_SEEN, seenAt(shift))).toBe(true)
    expect(isWithin(seenAt(shift), EVER_SEEN)).toBe(true)
    expect(seenAt(shift).bottom).toBeLessThanOrEqual(FOLDS[0])
  },
)
