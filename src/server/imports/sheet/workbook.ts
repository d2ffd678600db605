import { inflateRawSync } from 'node:zlib'
import { AppError, type RefusalKey } from '#shared/errors.ts'

// The zip archive of a workbook, as the server and the process that converts it read it.

export interface ZipEntry {
  name: string
  /** 0 is stored, 8 is deflated. */
  method: number
  packedSize: number
  /** The unpacked size that it claims. */
  size: number
  /** The position of its local header. */
  offset: number
  crc: number
}

/** Some bytes of a file, from a position. */
export type ReadAt = (position: number, length: number) => Promise<Buffer> | Buffer

/** A workbook whose parts unpack to more than this is not read at all. */
const MOST_UNPACKED_BYTES = 96 * 1024 * 1024
const LOCAL = 0x04034b50
export const LOCAL_BYTES = 30
export const STORED = 0
export const DEFLATED = 8
const END = 0x06054b50
const END_BYTES = 22
const LONGEST_COMMENT = 0xffff
const END_64 = 0x06064b50
const END_64_BYTES = 56
const LOCATOR_64 = 0x07064b50
const LOCATOR_64_BYTES = 20
const ENTRY = 0x02014b50
const ENTRY_BYTES = 46
const EXTRA_64 = 0x0001
const IN_EXTRA_64 = 0xffffffff
/** A workbook has a few parts for each sheet. */
const LARGEST_DIRECTORY = 1024 * 1024

/** The descriptor of the open workbook in the process that reads it. */
export const WORKBOOK_FILE = 3

/** How that process says why it refuses a file. Node itself uses exit codes below 64, and the shell those from 126. */
const REFUSALS_BY_EXIT = new Map<number, RefusalKey>([
  [64, 'IMPORT_UNREADABLE'],
  [65, 'IMPORT_SHEET_TOO_LARGE'],
  [66, 'IMPORT_TOO_MANY_ROWS'],
  [67, 'IMPORT_TOO_MANY_COLUMNS'],
  [68, 'IMPORT_CELL_UNREADABLE'],
])

export function refusalOfExit(code: number | null): RefusalKey | undefined {
  return code === null ? undefined : REFUSALS_BY_EXIT.get(code)
}

export function exitCodeOf(key: RefusalKey): number | undefined {
  return [...REFUSALS_BY_EXIT].find(([, refusal]) => refusal === key)?.[0]
}

/**
 * The parts of a workbook that hold text; pictures and printer settings are left alone.
 * @throws IMPORT_UNREADABLE, IMPORT_SHEET_TOO_LARGE if they claim to unpack to too much
 */
export async function listParts(size: number, readAt: ReadAt): Promise<ZipEntry[]> {
  const parts = (await readZipDirectory(size, readAt)).filter(({ name }) => /\.(?:xml|rels)$/.test(name))
  if (unpackedBytes(parts) > MOST_UNPACKED_BYTES) throw new AppError('IMPORT_SHEET_TOO_LARGE')
  return parts
}

/** How many bytes the parts claim to unpack to, together. */
export function unpackedBytes(parts: readonly ZipEntry[]): number {
  let unpacked = 0
  for (const part of parts) unpacked += part.size
  return unpacked
}

/** Where the content of an entry begins, by its local header. @throws IMPORT_UNREADABLE */
export function contentBegin(header: Buffer, offset: number): number {
  if (header.length < LOCAL_BYTES || header.readUInt32LE(0) !== LOCAL) throw unreadable()
  return offset + LOCAL_BYTES + header.readUInt16LE(26) + header.readUInt16LE(28)
}

/** Unpacks a part. @throws IMPORT_UNREADABLE if it is longer or shorter than the directory says */
export function unpackPart(archive: Buffer, { method, packedSize, size, offset }: ZipEntry): Buffer {
  const begin = contentBegin(archive.subarray(offset, offset + LOCAL_BYTES), offset)
  const packed = archive.subarray(begin, begin + packedSize)
  const bytes = method === STORED ? packed : inflated(packed, { method, size })
  if (bytes.length !== size) throw unreadable()
  return bytes
}

function inflated(packed: Buffer, { method, size }: Pick<ZipEntry, 'method' | 'size'>): Buffer {
  if (method !== DEFLATED) throw unreadable()
  try {
    return inflateRawSync(packed, { maxOutputLength: Math.max(1, size) })
  } catch (error) {
    throw unreadable(error)
  }
}

/**
 * The directory of an archive, found by reading its end only.
 * @throws IMPORT_UNREADABLE, IMPORT_SHEET_TOO_LARGE if the directory itself has more than `most` bytes
 */
export async function readZipDirectory(size: number, readAt: ReadAt, most = LARGEST_DIRECTORY): Promise<ZipEntry[]> {
  const tailBytes = Math.min(size, END_BYTES + LONGEST_COMMENT + LOCATOR_64_BYTES)
  const tail = await readAt(size - tailBytes, tailBytes)
  const end = findEnd(tail)
  const { offset, length } = await locateDirectory(tail, end, readAt)
  if (length > most) throw new AppError('IMPORT_SHEET_TOO_LARGE')
  if (offset + length > size) throw unreadable()
  return entriesOf(await readAt(offset, length))
}

function findEnd(tail: Buffer): number {
  for (let at = tail.length - END_BYTES; at >= 0; at -= 1) if (tail.readUInt32LE(at) === END) return at
  throw unreadable()
}

async function locateDirectory(tail: Buffer, end: number, readAt: ReadAt) {
  const directory = { length: tail.readUInt32LE(end + 12), offset: tail.readUInt32LE(end + 16) }
  const locator = end - LOCATOR_64_BYTES
  if (locator < 0 || tail.readUInt32LE(locator) !== LOCATOR_64) return directory
  const end64 = await readAt(number64(tail, locator + 8), END_64_BYTES)
  if (end64.length < END_64_BYTES || end64.readUInt32LE(0) !== END_64) throw unreadable()
  return { length: number64(end64, 40), offset: number64(end64, 48) }
}

function entriesOf(directory: Buffer): ZipEntry[] {
  const entries: ZipEntry[] = []
  for (let at = 0; at < directory.length;) {
    const isEntry = at + ENTRY_BYTES <= directory.length && directory.readUInt32LE(at) === ENTRY
    const nameEnd = isEntry ? at + ENTRY_BYTES + directory.readUInt16LE(at + 28) : 0
    const end = isEntry ? nameEnd + directory.readUInt16LE(at + 30) + directory.readUInt16LE(at + 32) : 0
    if (!isEntry || end > directory.length) throw unreadable()
    const extra = directory.subarray(nameEnd, nameEnd + directory.readUInt16LE(at + 30))
    const [size = 0, packedSize = 0, offset = 0] = withExtra64(
      [directory.readUInt32LE(at + 24), directory.readUInt32LE(at + 20), directory.readUInt32LE(at + 42)],
      extra,
    )
    const name = directory.toString('utf8', at + ENTRY_BYTES, nameEnd)
    const [method, crc] = [directory.readUInt16LE(at + 10), directory.readUInt32LE(at + 16)]
    entries.push({ name, method, packedSize, size, offset, crc })
    at = end
  }
  return entries
}

/** Numbers that need 64 bits are in an extra field, in the same order. */
function withExtra64(numbers: number[], extra: Buffer): number[] {
  if (!numbers.includes(IN_EXTRA_64)) return numbers
  let at = 0
  while (at + 4 <= extra.length && extra.readUInt16LE(at) !== EXTRA_64) at += 4 + extra.readUInt16LE(at + 2)
  at += 4
  return numbers.map((number) => {
    if (number !== IN_EXTRA_64) return number
    if (at + 8 > extra.length) throw unreadable()
    at += 8
    return number64(extra, at - 8)
  })
}

function number64(bytes: Buffer, at: number): number {
  const number = bytes.readBigUInt64LE(at)
  if (number > BigInt(Number.MAX_SAFE_INTEGER)) throw unreadable()
  return Number(number)
}

function unreadable(cause?: unknown): AppError {
  return new AppError('IMPORT_UNREADABLE', { cause })
}
