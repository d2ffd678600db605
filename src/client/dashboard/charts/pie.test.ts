import { expect, test } from 'vitest'
import { slicesOf } from './pie.ts'

const point = (value: number) => ({ label: 'Any', name: 'Any', value, text: String(value), counted: {} })

test('slices share the whole circle by their values, one after the other', () => {
  const angles = slicesOf([point(1), point(2), point(1)]).map(({ startAngle, endAngle }) => [startAngle, endAngle])
  expect(angles).toEqual([
    [0, 90],
    [90, 270],
    [270, 360],
  ])
})

test('what is 0 has no slice', () => {
  expect(slicesOf([point(0), point(3), point(0)])).toMatchObject([{ index: 1, startAngle: 0, endAngle: 360 }])
})
