import { isUtf8 } from 'node:buffer'
import { createHash, randomUUID } from 'node:crypto'
import { open, unlink, type FileHandle } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { AppError } from '#shared/errors.ts'
import type { StoredSheet } from './read-sheet.ts'

/** An upload on disk, so that it can be read twice without being held in memory. */
export interface Spool extends AsyncDisposable {
  file: FileHandle
  size: number
  /** How many lines it has, about. */
  lines: number
  sha256: Buffer
  /** The first bytes. */
  head: Buffer
  /** Whether all of it is valid UTF-8. */
  isUtf8: boolean
}

const HEAD_BYTES = 65_536
/** No sign takes more bytes in UTF-8. */
const LONGEST_SIGN = 4
const LINE_FEED = 0x0a
const CARRIAGE_RETURN = 0x0d

/** Writes a stream to a file that nobody else sees. @throws IMPORT_TOO_LARGE beyond `limit` bytes */
export async function spool(bytes: AsyncIterable<Uint8Array>, limit: number): Promise<Spool> {
  const file = await openHidden()
  try {
    return { file, ...(await copy(bytes, { file, limit })), [Symbol.asyncDispose]: () => file.close() }
  } catch (error) {
    await file.close()
    throw error
  }
}

/** The file as threads can share it. */
export function storedSheet(content: StoredSheet['content'], { file, ...known }: Spool): StoredSheet {
  const { size, lines, head, isUtf8 } = known
  return { content, file: file.fd, size, lines, head, isUtf8 }
}

/** A file without a name: it is gone with its handle, also where the process is killed. */
async function openHidden(): Promise<FileHandle> {
  const path = join(tmpdir(), `traxx-${randomUUID()}`)
  const file = await open(path, 'wx+', 0o600)
  await unlink(path)
  return file
}

async function copy(bytes: AsyncIterable<Uint8Array>, { file, limit }: { file: FileHandle; limit: number }) {
  const hash = createHash('sha256')
  const isStillText = utf8Check()
  let [size, lines, head, isText] = [0, 1, Buffer.alloc(0), true]
  for await (const chunk of bytes) {
    size += chunk.length
    if (size > limit) throw new AppError('IMPORT_TOO_LARGE')
    lines += Math.max(countOf(LINE_FEED, chunk), countOf(CARRIAGE_RETURN, chunk))
    hash.update(chunk)
    if (head.length < HEAD_BYTES) head = Buffer.concat([head, chunk]).subarray(0, HEAD_BYTES)
    isText &&= isStillText(chunk)
    await file.write(chunk)
  }
  return { size, lines, head, isUtf8: isText && isStillText(undefined), sha256: hash.digest() }
}

function countOf(byte: number, chunk: Uint8Array): number {
  let count = 0
  for (let at = chunk.indexOf(byte); at >= 0; at = chunk.indexOf(byte, at + 1)) count += 1
  return count
}

/** Whether pieces are one valid UTF-8 text; a sign may begin in one and end in the next. */
function utf8Check(): (chunk: Uint8Array | undefined) => boolean {
  let rest = Buffer.alloc(0)
  return (chunk) => {
    if (!chunk) return rest.length === 0
    const bytes = rest.length > 0 ? Buffer.concat([rest, chunk]) : chunk
    const end = bytes.length - unfinished(bytes)
    rest = Buffer.from(bytes.subarray(end))
    return isUtf8(bytes.subarray(0, end))
  }
}

/** How many bytes at the end begin a sign that they do not complete. */
function unfinished(bytes: Uint8Array): number {
  for (let count = 1; count <= Math.min(LONGEST_SIGN - 1, bytes.length); count += 1) {
    const byte = bytes[bytes.length - count] ?? 0
    if (byte >= 0xc0) return signLength(byte) > count ? count : 0
    if (byte < 0x80) return 0
  }
  return 0
}

function signLength(first: number): number {
  if (first >= 0xf0) return LONGEST_SIGN
  return first >= 0xe0 ? 3 : 2
}
