import { crc32, deflateSync } from 'node:zlib'

const SIGNATURE = Buffer.from([137, 80, 78, 71, 13, 10, 26, 10])
const COLORS = 256
const SHIFTS = [16, 8, 0]

export interface Bitmap {
  width: number
  height: number
  /** Red, green, blue and alpha of each pixel, row by row; alpha is ignored. */
  rgba: Buffer
}

/** A PNG of at most 256 colors, a third of the size of one with all: the screens of an app have few more. */
export function palettePng({ width, height, rgba }: Bitmap): Buffer {
  const colors = Array.from({ length: width * height }, (_, at) => rgba.readUIntBE(at * 4, 3))
  const boxes = boxesOf(colors)
  const indexOf = new Map(boxes.flatMap((box, index) => box.map(({ color }) => [color, index] as const)))
  // Each row begins with the number of its filter: none.
  const rows = Buffer.alloc((width + 1) * height)
  for (const [at, color] of colors.entries()) rows[at + Math.floor(at / width) + 1] = indexOf.get(color) ?? 0
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', headerOf(width, height)),
    chunk('PLTE', Buffer.from(boxes.flatMap(meanOf))),
    chunk('IDAT', deflateSync(rows, { level: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

interface Color {
  /** 0xRRGGBB */
  color: number
  count: number
}

/** Groups of colors that will be one each: whichever is widest and covers most is halved until there are enough. */
function boxesOf(colors: number[]): Color[][] {
  const counts = new Map<number, number>()
  for (const color of colors) counts.set(color, (counts.get(color) ?? 0) + 1)
  const boxes = [[...counts].map(([color, count]) => ({ color, count }))]
  while (boxes.length < Math.min(COLORS, counts.size)) {
    const box = boxes.sort((one, other) => weightOf(one) - weightOf(other)).pop() ?? []
    const shift = widestShift(box)
    box.sort((one, other) => channel(one.color, shift) - channel(other.color, shift))
    boxes.push(box.slice(0, box.length / 2), box.slice(box.length / 2))
  }
  return boxes
}

function weightOf(box: Color[]): number {
  return rangeOf(box, widestShift(box)) * Math.sqrt(sumOf(box, ({ count }) => count))
}

function widestShift(box: Color[]): number {
  return SHIFTS.toSorted((one, other) => rangeOf(box, other) - rangeOf(box, one))[0] ?? 0
}

function rangeOf(box: Color[], shift: number): number {
  const values = box.map(({ color }) => channel(color, shift))
  return (
    values.reduce((most, value) => Math.max(most, value), 0) -
    values.reduce((least, value) => Math.min(least, value), 255)
  )
}

function meanOf(box: Color[]): number[] {
  const pixels = sumOf(box, ({ count }) => count)
  return SHIFTS.map((shift) => Math.round(sumOf(box, ({ color, count }) => channel(color, shift) * count) / pixels))
}

function channel(color: number, shift: number): number {
  return (color >> shift) & 255
}

function sumOf(box: Color[], valueOf: (color: Color) => number): number {
  return box.reduce((sum, color) => sum + valueOf(color), 0)
}

/** Eight bits a pixel, by palette, in one pass. */
function headerOf(width: number, height: number): Buffer {
  const header = Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, 8, 3, 0, 0, 0])
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  return header
}

function chunk(type: string, content: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), content])
  const framed = Buffer.alloc(body.length + 8)
  framed.writeUInt32BE(content.length, 0)
  body.copy(framed, 4)
  framed.writeUInt32BE(crc32(body), body.length + 4)
  return framed
}
