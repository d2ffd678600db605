import { AppError } from '#shared/errors.ts'

export interface ZipEntry {
  name: string
  /** 0 is stored, 8 is deflated. */
  method: number
  packedSize: number
  /** What it says to unpack to. */
  size: number
  /** Where its local header begins. */
  offset: number
}

/** Some bytes of a file, from a position. */
export type ReadAt = (position: number, length: number) => Promise<Buffer> | Buffer

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

/**
 * What an archive says of its entries, without reading more than its end.
 * @throws IMPORT_UNREADABLE, IMPORT_SHEET_TOO_LARGE where the directory itself is large
 */
export async function readZipDirectory(size: number, readAt: ReadAt): Promise<ZipEntry[]> {
  const tailBytes = Math.min(size, END_BYTES + LONGEST_COMMENT + LOCATOR_64_BYTES)
  const tail = await readAt(size - tailBytes, tailBytes)
  const end = findEnd(tail)
  const { offset, length } = await directoryPlace(tail, end, readAt)
  if (length > LARGEST_DIRECTORY) throw new AppError('IMPORT_SHEET_TOO_LARGE')
  if (offset + length > size) throw new AppError('IMPORT_UNREADABLE')
  return entriesOf(await readAt(offset, length))
}

function findEnd(tail: Buffer): number {
  for (let at = tail.length - END_BYTES; at >= 0; at -= 1) if (tail.readUInt32LE(at) === END) return at
  throw new AppError('IMPORT_UNREADABLE')
}

async function directoryPlace(tail: Buffer, end: number, readAt: ReadAt) {
  const place = { length: tail.readUInt32LE(end + 12), offset: tail.readUInt32LE(end + 16) }
  const locator = end - LOCATOR_64_BYTES
  if (locator < 0 || tail.readUInt32LE(locator) !== LOCATOR_64) return place
  const end64 = await readAt(number64(tail, locator + 8), END_64_BYTES)
  if (end64.length < END_64_BYTES || end64.readUInt32LE(0) !== END_64) throw new AppError('IMPORT_UNREADABLE')
  return { length: number64(end64, 40), offset: number64(end64, 48) }
}

function entriesOf(directory: Buffer): ZipEntry[] {
  const entries: ZipEntry[] = []
  for (let at = 0; at < directory.length;) {
    const isEntry = at + ENTRY_BYTES <= directory.length && directory.readUInt32LE(at) === ENTRY
    const nameEnd = isEntry ? at + ENTRY_BYTES + directory.readUInt16LE(at + 28) : 0
    const end = isEntry ? nameEnd + directory.readUInt16LE(at + 30) + directory.readUInt16LE(at + 32) : 0
    if (!isEntry || end > directory.length) throw new AppError('IMPORT_UNREADABLE')
    const extra = directory.subarray(nameEnd, nameEnd + directory.readUInt16LE(at + 30))
    const [size = 0, packedSize = 0, offset = 0] = withExtra64(
      [directory.readUInt32LE(at + 24), directory.readUInt32LE(at + 20), directory.readUInt32LE(at + 42)],
      extra,
    )
    const name = directory.toString('utf8', at + ENTRY_BYTES, nameEnd)
    entries.push({ name, method: directory.readUInt16LE(at + 10), packedSize, size, offset })
    at = end
  }
  return entries
}

/** Numbers that do not fit stand in an extra field, in the same order. */
function withExtra64(numbers: number[], extra: Buffer): number[] {
  if (!numbers.includes(IN_EXTRA_64)) return numbers
  let at = 0
  while (at + 4 <= extra.length && extra.readUInt16LE(at) !== EXTRA_64) at += 4 + extra.readUInt16LE(at + 2)
  at += 4
  return numbers.map((number) => {
    if (number !== IN_EXTRA_64) return number
    if (at + 8 > extra.length) throw new AppError('IMPORT_UNREADABLE')
    at += 8
    return number64(extra, at - 8)
  })
}

function number64(bytes: Buffer, at: number): number {
  const number = bytes.readBigUInt64LE(at)
  if (number > BigInt(Number.MAX_SAFE_INTEGER)) throw new AppError('IMPORT_UNREADABLE')
  return Number(number)
}
