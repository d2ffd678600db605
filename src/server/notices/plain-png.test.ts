import { deflateSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { aPng } from '#support/pictures.ts'
import { plainPng } from './plain-png.ts'

function chunk(type: string, data: Uint8Array): Buffer {
  const length = Buffer.alloc(4)
  length.writeUInt32BE(data.length)
  // Decoders do not look at the checksum.
  return Buffer.concat([length, Buffer.from(type, 'latin1'), data, Buffer.alloc(4)])
}

function size(width: number, height: number): Buffer {
  const data = Buffer.alloc(13)
  data.writeUInt32BE(width, 0)
  data.writeUInt32BE(height, 4)
  data.set([8, 6, 0, 0, 0], 8)
  return data
}

const PNG = aPng(9, 4)
const SIGNATURE = PNG.subarray(0, 8)
const END = chunk('IEND', new Uint8Array())
const zeros = (count: number) => deflateSync(new Uint8Array(count))

test('a picture stays as it is', () => {
  expect(plainPng(PNG)).toEqual(PNG)
  expect(plainPng(aPng(9, 4, 500))).toEqual(PNG)
})

test('texts and animations are left out, however much they unpack to', () => {
  const [header, picture] = [chunk('IHDR', size(2, 2)), chunk('IDAT', zeros(18))]
  const others = [chunk('acTL', new Uint8Array(8)), chunk('zTXt', Buffer.from(zeros(50_000_000)))]
  const file = Buffer.concat([SIGNATURE, header, ...others, picture, END])
  expect(plainPng(file)).toEqual(Buffer.concat([SIGNATURE, header, picture, END]))
})

test.each([
  ['unpacks to more than its size allows', [chunk('IHDR', size(2, 2)), chunk('IDAT', zeros(50_000_000)), END]],
  ['says its size twice', [chunk('IHDR', size(2, 2)), chunk('IHDR', size(9, 9)), chunk('IDAT', zeros(18)), END]],
  ['has no size', [chunk('IDAT', zeros(18)), END]],
  ['is cut off', [chunk('IHDR', size(2, 2)), chunk('IDAT', zeros(18))]],
  ['cannot be unpacked', [chunk('IHDR', size(2, 2)), chunk('IDAT', Buffer.from('no picture')), END]],
])('a file that %s is none', (_, chunks) => {
  expect(plainPng(Buffer.concat([SIGNATURE, ...chunks]))).toBeUndefined()
})
