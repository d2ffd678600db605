import { isUtf8 } from 'node:buffer'
import { createHash, randomUUID } from 'node:crypto'
import { read } from 'node:fs'
import { open, unlink, type FileHandle } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { z } from 'zod'
import { AppError } from '#shared/errors.ts'
import type { ImportKind } from '#shared/schemas/imports.ts'
import { Cell, type SheetRow } from './cells.ts'
import { isKnownHeading } from './columns.ts'
import { csvFormatOf, isMostlyUtf8, readCsv } from './read-csv.ts'

/** A file on disk and what is known of it: plain data, so that it can be handed to a thread. */
export interface StoredFile {
  /** The upload itself, or the rows that were read from a workbook. */
  content: 'upload' | 'rows'
  /** The descriptor of the open file. */
  file: number
  size: number
  /** About how many lines it has. */
  lines: number
  /** The first bytes. */
  firstBytes: Uint8Array
  /** Whether all of it is valid UTF-8. */
  isUtf8: boolean
}

/** An upload on disk, so that it can be read twice without being held in memory. */
export interface UploadFile extends AsyncDisposable {
  stored: StoredFile
  sha256: Buffer
}

/** The rows of a file in pieces; they can be read more than once. */
export interface Sheet {
  lines(): AsyncIterable<SheetRow[]>
}

interface SaveOptions {
  content: StoredFile['content']
  mostBytes: number
}

const FIRST_BYTES = 65_536
/** The most bytes of a character in UTF-8. */
const MOST_BYTES = 4
const LINE_FEED = 0x0a
const CARRIAGE_RETURN = 0x0d
const READ_BYTES = 65_536

const readFile = promisify(read)

/** Writes a stream to a file without a name. @throws IMPORT_TOO_LARGE beyond `mostBytes` */
export async function saveUpload(bytes: AsyncIterable<Uint8Array>, options: SaveOptions): Promise<UploadFile> {
  const file = await openUnnamed()
  try {
    const { sha256, ...known } = await copy(bytes, file, options.mostBytes)
    const stored = { content: options.content, file: file.fd, ...known }
    return { stored, sha256, [Symbol.asyncDispose]: () => file.close() }
  } catch (error) {
    await file.close()
    throw error
  }
}

/** Opens a text file, or the rows of a workbook. @throws IMPORT_UNREADABLE */
export async function openSheet(stored: StoredFile, kind: ImportKind): Promise<Sheet> {
  if (stored.content === 'rows') return { lines: () => readJsonRows(readPieces(stored)) }
  const isText = stored.isUtf8 || (await isMostlyUtf8(readPieces(stored)))
  const format = csvFormatOf(stored.firstBytes, isText, (heading) => isKnownHeading(kind, heading))
  return { lines: () => readCsv(readPieces(stored), format) }
}

const JsonRow = z.tuple([z.int()], Cell)

/** A row from a line of JSON, as `toJsonRow` writes it. */
function fromJsonRow(text: string): SheetRow {
  const [line, ...cells] = JsonRow.parse(JSON.parse(text))
  return { line, cells }
}

async function* readJsonRows(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<SheetRow[]> {
  const decoder = new TextDecoder()
  let rest = ''
  for await (const chunk of bytes) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n')
    rest = lines.pop() ?? ''
    yield lines.map(fromJsonRow)
  }
}

/** Some bytes of a file; fewer at its end. */
export async function readBytes(file: number, position: number, length: number): Promise<Buffer> {
  const { bytesRead, buffer } = await readFile(file, Buffer.allocUnsafe(length), 0, length, position)
  return buffer.subarray(0, bytesRead)
}

/** The whole file in pieces, each time from its beginning. */
// Not a stream: that would close the file when it is left early, and its descriptor may then be another account's file.
export async function* readPieces({ file, size }: StoredFile): AsyncGenerator<Uint8Array> {
  for (let position = 0; position < size;) {
    const piece = await readBytes(file, position, READ_BYTES)
    if (piece.length === 0) throw new Error('The upload is shorter than it was')
    position += piece.length
    yield piece
  }
}

/** Opens a temporary file without a name: it is gone when it is closed, even if the process is killed. */
async function openUnnamed(): Promise<FileHandle> {
  const path = join(tmpdir(), `traxx-${randomUUID()}`)
  const file = await open(path, 'wx+', 0o600)
  await unlink(path)
  return file
}

async function copy(bytes: AsyncIterable<Uint8Array>, file: FileHandle, mostBytes: number) {
  const hash = createHash('sha256')
  const isStillText = utf8Check()
  let [size, lines, firstBytes, isText] = [0, 1, Buffer.alloc(0), true]
  for await (const chunk of bytes) {
    size += chunk.length
    if (size > mostBytes) throw new AppError('IMPORT_TOO_LARGE')
    lines += Math.max(countOf(LINE_FEED, chunk), countOf(CARRIAGE_RETURN, chunk))
    hash.update(chunk)
    if (firstBytes.length < FIRST_BYTES) firstBytes = Buffer.concat([firstBytes, chunk]).subarray(0, FIRST_BYTES)
    isText &&= isStillText(chunk)
    await file.write(chunk)
  }
  return { size, lines, firstBytes, isUtf8: isText && isStillText(undefined), sha256: hash.digest() }
}

function countOf(byte: number, chunk: Uint8Array): number {
  let count = 0
  for (let at = chunk.indexOf(byte); at >= 0; at = chunk.indexOf(byte, at + 1)) count += 1
  return count
}

/** Checks whether chunks are one valid UTF-8 text; a character may begin in one chunk and end in the next. */
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

/** How many bytes at the end begin a character without completing it. */
function unfinished(bytes: Uint8Array): number {
  for (let count = 1; count <= Math.min(MOST_BYTES - 1, bytes.length); count += 1) {
    const byte = bytes[bytes.length - count] ?? 0
    if (byte >= 0xc0) return characterBytes(byte) > count ? count : 0
    if (byte < 0x80) return 0
  }
  return 0
}

function characterBytes(first: number): number {
  if (first >= 0xf0) return MOST_BYTES
  return first >= 0xe0 ? 3 : 2
}
