import { inflateSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { palettePng } from './png-palette.ts'

/** The chunks of a PNG by their names. */
function chunksOf(png: Buffer): Record<string, Buffer> {
  const chunks: Record<string, Buffer> = {}
  for (let at = 8; at < png.length;) {
    const length = png.readUInt32BE(at)
    chunks[png.toString('latin1', at + 4, at + 8)] = png.subarray(at + 8, at + 8 + length)
    at += length + 12
  }
  return chunks
}

/** What a PNG of this width shows, as 0xRRGGBB. */
function pixelsOf(png: Buffer, width: number): number[] {
  const { PLTE, IDAT } = chunksOf(png)
  if (!PLTE || !IDAT) throw new Error('no picture')
  const indexes = [...inflateSync(IDAT)].filter((_, at) => at % (width + 1) !== 0)
  return indexes.map((index) => PLTE.readUIntBE(index * 3, 3))
}

function bitmapOf(width: number, colors: number[]) {
  const rgba = Buffer.alloc(colors.length * 4, 255)
  for (const [at, color] of colors.entries()) rgba.writeUIntBE(color, at * 4, 3)
  return { width, height: colors.length / width, rgba }
}

test('a picture of few colors keeps every pixel', () => {
  const colors = Array.from({ length: 600 }, (_, at) => ((at * 7) % 50) * 0x050301)
  expect(pixelsOf(palettePng(bitmapOf(30, colors)), 30)).toEqual(colors)
})

test('a picture of many colors comes close to each of them', () => {
  const colors = Array.from({ length: 4096 }, (_, at) => at * 0x1000 + 0x800)
  const shown = pixelsOf(palettePng(bitmapOf(64, colors)), 64)
  expect(new Set(shown).size).toBe(256)
  for (const [at, color] of colors.entries()) {
    for (const shift of [16, 8, 0]) {
      const wanted = (color >> shift) & 255
      expect(Math.abs((((shown[at] ?? 0) >> shift) & 255) - wanted)).toBeLessThan(64)
    }
  }
})

test('its header says its size', () => {
  const { IHDR } = chunksOf(palettePng(bitmapOf(3, [1, 2, 3, 4, 5, 6])))
  expect([IHDR?.readUInt32BE(0), IHDR?.readUInt32BE(4)]).toEqual([3, 2])
})
