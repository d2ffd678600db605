import { fc, test as property } from '@fast-check/vitest'
import { describe, expect, test } from 'vitest'
import { aJpeg, aPng } from '#support/pictures.ts'
import { pictureOf } from './logo.ts'

test('a picture is what its bytes say, with its size', () => {
  expect(pictureOf(aPng(120, 40))).toEqual({ type: 'png', width: 120, height: 40 })
  expect(pictureOf(aJpeg(640, 480))).toEqual({ type: 'jpg', width: 640, height: 480 })
})

describe('no picture', () => {
  property.prop([fc.uint8Array({ maxLength: 200 })])('is any bytes that do not end as one', (bytes) => {
    expect(pictureOf(bytes)).toBeUndefined()
  })

  property.prop([fc.constantFrom(aPng(9, 9), aJpeg(9, 9)), fc.nat({ max: 60 })])(
    'is one cut short',
    (whole, missing) => {
      expect(pictureOf(whole.subarray(0, Math.max(0, whole.length - missing - 1)))).toBeUndefined()
    },
  )

  // Whatever the segments of a JPEG say of their lengths, looking for the frame comes to an end within the bytes.
  property.prop([fc.uint8Array({ maxLength: 200 })])(
    'is a frame of JPEG that holds none, or its size is told',
    (inside) => {
      const found = pictureOf(Uint8Array.from([0xff, 0xd8, 0xff, ...inside, 0xff, 0xd9]))
      expect(found === undefined || (found.width > 0 && found.height > 0)).toBe(true)
    },
  )

  test('has no width or no height', () => {
    expect(pictureOf(aPng(0, 9))).toBeUndefined()
    expect(pictureOf(aJpeg(9, 0))).toBeUndefined()
  })
})

describe('a JPEG hides no larger picture behind a small one', () => {
  const small = [0xff, 0xc0, 0, 11, 8, 0, 9, 0, 9, 1, 1, 0x11, 0]
  const large = [0xff, 0xc0, 0, 11, 8, 0xea, 0x60, 0xea, 0x60, 1, 1, 0x11, 0]
  const jpegOf = (...inside: number[]) => pictureOf(Uint8Array.from([0xff, 0xd8, ...inside, 0xff, 0xd9]))

  test('with bytes that fill up', () => {
    // Whoever takes the second of them for a marker reads a length of 65,472, and finds the small frame there.
    const between = Array.from({ length: 65_472 - large.length }, () => 0)
    expect(jpegOf(0xff, ...large, ...between, ...small)).toMatchObject({ width: 60_000, height: 60_000 })
    expect(jpegOf(0xff, 0xff, 0xff, ...small)).toMatchObject({ width: 9, height: 9 })
  })

  test.each([0x01, 0xd0, 0xd8, 0xd9, 0xda])('with a marker that has no length: %i', (marker) => {
    expect(jpegOf(0xff, marker, 0, 2, ...small)).toBeUndefined()
    expect(jpegOf(0xff, marker, 0, 2 + large.length, ...large, ...small)).toBeUndefined()
  })
})
