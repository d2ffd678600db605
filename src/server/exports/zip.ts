import { pipeline, Readable } from 'node:stream'
import { crc32, createDeflateRaw } from 'node:zlib'

export interface ZipEntry {
  name: string
  content: AsyncIterable<string | Uint8Array>
  /** Not worth the time for a PDF, which is compressed already. */
  isCompressible: boolean
}

interface Written {
  name: Buffer
  crc: number
  packedSize: number
  size: number
  /** Its offset in the archive. */
  offset: number
}

const NEEDS_ZIP64 = 0xffff_ffff
const MOST_ENTRIES = 0xffff
const LARGEST_BLOCK = 0xffff
/** Flags: sizes follow the content, and names are UTF-8. */
const FLAGS = 0x0808
const DEFLATE = 8
const VERSION = 20
const VERSION_ZIP64 = 45

/**
 * Streams a zip archive, holding no entry in memory. The number of entries and the total size are unlimited; a single entry
 * is at most 4 GB.
 */
export async function* zipOf(entries: AsyncIterable<ZipEntry>, madeAt: Date): AsyncGenerator<Uint8Array> {
  const stamp = stampOf(madeAt)
  const written: Written[] = []
  let offset = 0
  for await (const entry of entries) {
    const record: Written = { name: Buffer.from(entry.name), crc: 0, packedSize: 0, size: 0, offset }
    for await (const chunk of entryBytes(record, entry, stamp)) {
      offset += chunk.length
      yield chunk
    }
    written.push(record)
  }
  yield* directory(written, { stamp, offset })
}

async function* entryBytes(record: Written, entry: ZipEntry, stamp: Buffer): AsyncGenerator<Uint8Array> {
  yield Buffer.concat([bytes([0x0403_4b50, 4], [VERSION, 2]), common(record, stamp, 0), record.name])
  const content = counted(record, entry.content)
  for await (const chunk of entry.isCompressible ? deflated(content) : stored(content)) {
    record.packedSize += chunk.length
    yield chunk
  }
  if (Math.max(record.packedSize, record.size) >= NEEDS_ZIP64) throw new RangeError(`${entry.name} is beyond 4 GB`)
  yield bytes([0x0807_4b50, 4], [record.crc, 4], [record.packedSize, 4], [record.size, 4])
}

function deflated(content: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  const deflate = createDeflateRaw()
  // If either stream ends, so does the other; the reader sees the failure.
  pipeline(Readable.from(content, { objectMode: false }), deflate, () => {})
  return deflate
}

/** Uncompressed deflate blocks, because zip's "stored" method needs to know the size in advance. */
async function* stored(content: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  for await (const chunk of content) {
    for (let at = 0; at < chunk.length; at += LARGEST_BLOCK) {
      const block = chunk.subarray(at, at + LARGEST_BLOCK)
      yield bytes([0, 1], [block.length, 2], [LARGEST_BLOCK - block.length, 2])
      yield block
    }
  }
  yield bytes([1, 1], [0, 2], [LARGEST_BLOCK, 2])
}

async function* counted(record: Written, content: AsyncIterable<string | Uint8Array>) {
  for await (const piece of content) {
    const chunk = typeof piece === 'string' ? Buffer.from(piece) : piece
    record.crc = crc32(chunk, record.crc)
    record.size += chunk.length
    yield chunk
  }
}

/** The fields that an entry's header and the directory have in common. */
function common(record: Written, stamp: Buffer, extra: number): Buffer {
  const sizes = bytes([record.crc, 4], [record.packedSize, 4], [record.size, 4], [record.name.length, 2], [extra, 2])
  return Buffer.concat([bytes([FLAGS, 2], [DEFLATE, 2]), stamp, sizes])
}

function* directory(written: Written[], { stamp, offset }: { stamp: Buffer; offset: number }): Generator<Uint8Array> {
  let size = 0
  for (const record of written) {
    const line = directoryLine(record, stamp)
    size += line.length
    yield line
  }
  const count = written.length
  if (count >= MOST_ENTRIES || offset + size >= NEEDS_ZIP64) yield zip64End({ count, size, offset })
  const [few, small, near] = [Math.min(count, MOST_ENTRIES), Math.min(size, NEEDS_ZIP64), Math.min(offset, NEEDS_ZIP64)]
  yield bytes([0x0605_4b50, 4], [0, 2], [0, 2], [few, 2], [few, 2], [small, 4], [near, 4], [0, 2])
}

function directoryLine(record: Written, stamp: Buffer): Buffer {
  const isFar = record.offset >= NEEDS_ZIP64
  const extra = isFar ? bytes([1, 2], [8, 2], [record.offset, 8]) : Buffer.alloc(0)
  const version = isFar ? VERSION_ZIP64 : VERSION
  return Buffer.concat([
    bytes([0x0201_4b50, 4], [version, 2], [version, 2]),
    common(record, stamp, extra.length),
    bytes([0, 2], [0, 2], [0, 2], [0, 4], [Math.min(record.offset, NEEDS_ZIP64), 4]),
    record.name,
    extra,
  ])
}

function zip64End({ count, size, offset }: { count: number; size: number; offset: number }): Buffer {
  const end = bytes(
    ...([
      [0x0606_4b50, 4],
      [44, 8],
      [VERSION_ZIP64, 2],
      [VERSION_ZIP64, 2],
      [0, 4],
      [0, 4],
    ] as const),
    ...([
      [count, 8],
      [count, 8],
      [size, 8],
      [offset, 8],
    ] as const),
  )
  return Buffer.concat([end, bytes([0x0706_4b50, 4], [0, 4], [offset + size, 8], [1, 4])])
}

/** Little-endian integers, with their sizes in bytes. */
function bytes(...numbers: (readonly [value: number, length: number])[]): Buffer {
  const buffer = Buffer.alloc(numbers.reduce((sum, [, length]) => sum + length, 0))
  let at = 0
  for (const [value, length] of numbers) {
    if (length === 8) buffer.writeBigUInt64LE(BigInt(value), at)
    else buffer.writeUIntLE(value, at, length)
    at += length
  }
  return buffer
}

/** Time and date in MS-DOS format, in UTC. */
function stampOf(at: Date): Buffer {
  const time = (at.getUTCHours() << 11) | (at.getUTCMinutes() << 5) | (at.getUTCSeconds() >> 1)
  const date = ((at.getUTCFullYear() - 1980) << 9) | ((at.getUTCMonth() + 1) << 5) | at.getUTCDate()
  return bytes([time, 2], [date, 2])
}
