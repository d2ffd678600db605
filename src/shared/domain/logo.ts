/** The largest logo. It is loaded whenever an email is opened. */
export const MAX_LOGO_BYTES = 200 * 1024
export const MAX_LOGO_PIXELS = 2000

export type LogoType = 'png' | 'jpg'

/** An image as its own bytes describe it. */
export interface Picture {
  type: LogoType
  width: number
  height: number
}

/** The type of the image in these bytes; undefined if they cannot be a logo. */
export function pictureOf(bytes: Uint8Array): Picture | undefined {
  return pngOf(bytes) ?? jpegOf(bytes)
}

const PNG_HEAD = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52]
const PNG_END = [0, 0, 0, 0, 0x49, 0x45, 0x4e, 0x44, 0xae, 0x42, 0x60, 0x82]
/** The signature, the first chunk with its check sum, and the last. */
const SMALLEST_PNG = 45

function pngOf(bytes: Uint8Array): Picture | undefined {
  if (bytes.length < SMALLEST_PNG || !hasAt(bytes, 0, PNG_HEAD)) return undefined
  if (!hasAt(bytes, bytes.length - PNG_END.length, PNG_END)) return undefined
  const view = viewOf(bytes)
  return pictured('png', view.getUint32(16), view.getUint32(20))
}

const JPEG_HEAD = [0xff, 0xd8, 0xff]
const JPEG_END = [0xff, 0xd9]
/** Markers that begin a frame, which holds the size; three values in this range mean something else. */
const FRAMES = { from: 0xc0, to: 0xcf, except: [0xc4, 0xc8, 0xcc] }
/** May stand before any marker, as often as a program likes. */
const FILL = 0xff
/** Markers before these, and some of those within, have no length to skip by. The last of them begins the picture. */
const FIRST_SEGMENT = 0xc0
const NO_SEGMENTS = { from: 0xd0, to: 0xda }
const FRAME_BYTES = 9

function jpegOf(bytes: Uint8Array): Picture | undefined {
  if (!hasAt(bytes, 0, JPEG_HEAD) || !hasAt(bytes, bytes.length - JPEG_END.length, JPEG_END)) return undefined
  const view = viewOf(bytes)
  // A segment is a marker, its length, and that many bytes.
  for (let at = 2; at + FRAME_BYTES <= bytes.length && view.getUint8(at) === 0xff;) {
    const marker = view.getUint8(at + 1)
    if (marker === FILL) {
      at += 1
      continue
    }
    if (!isSegment(marker)) return undefined
    if (marker >= FRAMES.from && marker <= FRAMES.to && !FRAMES.except.includes(marker)) {
      return pictured('jpg', view.getUint16(at + 7), view.getUint16(at + 5))
    }
    at += 2 + view.getUint16(at + 2)
  }
  return undefined
}

function isSegment(marker: number): boolean {
  return marker >= FIRST_SEGMENT && (marker < NO_SEGMENTS.from || marker > NO_SEGMENTS.to)
}

function pictured(type: LogoType, width: number, height: number): Picture | undefined {
  return width > 0 && height > 0 ? { type, width, height } : undefined
}

function hasAt(bytes: Uint8Array, at: number, expected: number[]): boolean {
  return expected.every((byte, index) => bytes[at + index] === byte)
}

function viewOf({ buffer, byteOffset, byteLength }: Uint8Array): DataView {
  return new DataView(buffer, byteOffset, byteLength)
}
