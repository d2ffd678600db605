import { inflateSync } from 'node:zlib'

const SIGNATURE_BYTES = 8
/** Of a chunk, beside its data: length, type and checksum. */
const FRAME_BYTES = 12
/** What a still picture is made of. Others hold texts and animations, which a decoder may take very long for. */
const NEEDED = new Set(['IHDR', 'PLTE', 'tRNS', 'IDAT', 'IEND'])
/** Of 16 bits each. */
const MOST_CHANNELS = 4
const MOST_BYTES_OF_CHANNEL = 2
/** Each row begins with a byte of its own; an interlaced picture has more rows. */
const MOST_ROW_BYTES = 16

/**
 * A PNG without what its picture does not need, whose picture has as many bytes as its size allows. Undefined if it is not
 * such a file: others make a decoder use memory without a bound.
 */
export function plainPng(bytes: Uint8Array): Uint8Array | undefined {
  const file = Buffer.from(bytes)
  const chunks = [...chunksOf(file)].filter(({ type }) => NEEDED.has(type))
  const [header] = chunks
  if (header?.type !== 'IHDR' || header.data.length !== 13) return undefined
  if (chunks.filter(({ type }) => type === 'IHDR').length > 1 || chunks.at(-1)?.type !== 'IEND') return undefined
  const [width, height] = [header.data.readUInt32BE(0), header.data.readUInt32BE(4)]
  const most = height * (width * MOST_CHANNELS * MOST_BYTES_OF_CHANNEL + MOST_ROW_BYTES)
  const packed = Buffer.concat(chunks.flatMap(({ type, data }) => (type === 'IDAT' ? [data] : [])))
  try {
    inflateSync(packed, { maxOutputLength: most })
  } catch {
    return undefined
  }
  return Buffer.concat([file.subarray(0, SIGNATURE_BYTES), ...chunks.map(({ whole }) => whole)])
}

interface Chunk {
  type: string
  data: Buffer
  whole: Buffer
}

/** Up to the end of the picture, or of the file. */
function* chunksOf(file: Buffer): Generator<Chunk> {
  for (let start = SIGNATURE_BYTES; start + FRAME_BYTES <= file.length;) {
    const end = start + FRAME_BYTES + file.readUInt32BE(start)
    if (end > file.length) return
    const type = file.toString('latin1', start + 4, start + 8)
    yield { type, data: file.subarray(start + 8, end - 4), whole: file.subarray(start, end) }
    if (type === 'IEND') return
    start = end
  }
}
