import { pipeline, Readable } from 'node:stream'
import { crc32, createInflateRaw } from 'node:zlib'
import { AppError } from '#shared/errors.ts'
import {
  contentBegin,
  DEFLATED,
  LOCAL_BYTES,
  readZipDirectory,
  STORED,
  type ReadAt,
  type ZipEntry,
} from '#server/imports/sheet/workbook.ts'

export type { ReadAt, ZipEntry }

/** An archive has an entry of about 70 bytes for each PDF. */
const LARGEST_DIRECTORY = 16 * 1024 * 1024
const PIECE_BYTES = 65_536

/** The entries of a zip archive by their names. @throws ARCHIVE_UNREADABLE */
export async function openZip(size: number, readAt: ReadAt): Promise<Map<string, ZipEntry>> {
  const entries = await readZipDirectory(size, readAt, LARGEST_DIRECTORY).catch((error: unknown) => {
    throw new AppError('ARCHIVE_UNREADABLE', { cause: error })
  })
  const byName = new Map(entries.map((entry) => [entry.name, entry]))
  if (byName.size < entries.length || overlap(entries)) throw new AppError('ARCHIVE_UNREADABLE')
  return byName
}

/** Entries that share bytes could unpack to far more than deflating allows for the size of the file. */
function overlap(entries: readonly ZipEntry[]): boolean {
  const inOrder = entries.toSorted((one, other) => one.offset - other.offset)
  return inOrder.some(({ offset, packedSize }, index) => {
    const next = inOrder[index + 1]
    return next !== undefined && offset + LOCAL_BYTES + packedSize > next.offset
  })
}

/** The content of an entry in pieces. @throws ARCHIVE_DAMAGED, at the latest at its end, if it is not what the directory says */
export async function* unpacked(readAt: ReadAt, entry: ZipEntry): AsyncGenerator<Uint8Array> {
  let [size, crc] = [0, 0]
  try {
    for await (const piece of contentOf(readAt, entry)) {
      size += piece.length
      if (size > entry.size) throw damaged(entry)
      crc = crc32(piece, crc)
      yield piece
    }
  } catch (error) {
    throw error instanceof AppError && error.key === 'ARCHIVE_DAMAGED' ? error : damaged(entry, error)
  }
  if (size !== entry.size || crc !== entry.crc) throw damaged(entry)
}

function contentOf(readAt: ReadAt, entry: ZipEntry): AsyncIterable<Uint8Array> {
  const packed = packedBytes(readAt, entry)
  if (entry.method === STORED) return packed
  if (entry.method !== DEFLATED) throw damaged(entry)
  const inflate = createInflateRaw()
  // If either stream ends, so does the other; the reader sees the failure.
  pipeline(Readable.from(packed, { objectMode: false }), inflate, () => {})
  return inflate
}

async function* packedBytes(readAt: ReadAt, entry: ZipEntry): AsyncGenerator<Uint8Array> {
  const header = await readAt(entry.offset, LOCAL_BYTES)
  let position = contentBegin(header, entry.offset)
  const end = position + entry.packedSize
  while (position < end) {
    const piece = await readAt(position, Math.min(PIECE_BYTES, end - position))
    if (piece.length === 0) throw damaged(entry)
    position += piece.length
    yield piece
  }
}

function damaged({ name }: ZipEntry, cause?: unknown): AppError {
  return new AppError('ARCHIVE_DAMAGED', { values: { file: name }, cause })
}
