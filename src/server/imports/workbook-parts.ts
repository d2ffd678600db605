import { inflateRawSync } from 'node:zlib'
import { AppError } from '#shared/errors.ts'
import { readZipDirectory, type ReadAt, type ZipEntry } from './zip-directory.ts'

/** Beyond this, what a workbook's parts unpack to is not read at all. */
const MOST_UNPACKED_BYTES = 96 * 1024 * 1024
const LOCAL = 0x04034b50
const LOCAL_BYTES = 30
const STORED = 0
const DEFLATED = 8

/**
 * The parts of a workbook that hold text; pictures and printer settings are left alone.
 * @throws IMPORT_UNREADABLE, IMPORT_SHEET_TOO_LARGE where they say that they unpack to too much
 */
export async function listParts(size: number, readAt: ReadAt): Promise<ZipEntry[]> {
  const parts = (await readZipDirectory(size, readAt)).filter(({ name }) => /\.(?:xml|rels)$/.test(name))
  let unpacked = 0
  for (const part of parts) unpacked += part.size
  if (unpacked > MOST_UNPACKED_BYTES) throw new AppError('IMPORT_SHEET_TOO_LARGE')
  return parts
}

/** A part, unpacked as far as the directory says it goes. @throws IMPORT_UNREADABLE where it goes on or falls short */
export function unpackPart(archive: Buffer, { method, packedSize, size, offset }: ZipEntry): Buffer {
  if (offset + LOCAL_BYTES > archive.length || archive.readUInt32LE(offset) !== LOCAL) throw unreadable()
  const begin = offset + LOCAL_BYTES + archive.readUInt16LE(offset + 26) + archive.readUInt16LE(offset + 28)
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

function unreadable(cause?: unknown): AppError {
  return new AppError('IMPORT_UNREADABLE', { cause })
}
