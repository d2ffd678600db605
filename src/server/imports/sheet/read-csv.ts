import { CsvError, parse, type Options, type Parser } from 'csv-parse'
import { parse as parseAtOnce } from 'csv-parse/sync'
import { AppError } from '#shared/errors.ts'
import type { SheetRow } from './cells.ts'

export type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252'

export interface CsvFormat {
  encoding: Encoding
  delimiter: string
}

/** The headings are looked for in this many rows: there may be a title above them. */
export const ROWS_WITH_HEADINGS = 10
const DELIMITERS = [',', ';', '\t', '|']
const LONGEST_ROW = 1_000_000
const MOST_CELLS = 1000
/** Blank rows are skipped, but cost time. */
const MOST_BLANK_ROWS = 100_000
const SEPARATOR_LINE = /^\uFEFF?sep=(.)\r?\n/i
const LINE_BREAKS = /\r\n|\r|\n/g

const BYTE_ORDER_MARKS: [Encoding, number[]][] = [
  ['utf-8', [0xef, 0xbb, 0xbf]],
  ['utf-16le', [0xff, 0xfe]],
  ['utf-16be', [0xfe, 0xff]],
]
const SIGNATURES = ['%PDF', '\u0089PNG', 'GIF8', '\u00ff\u00d8\u00ff', '\u00d0\u00cf\u0011\u00e0', 'PK\u0003\u0004']
/** What a decoder puts in place of bytes that are no character. */
export const UNREADABLE = '\uFFFD'
const LOOKED_AT = 4096
const BINARY_SHARE = 0.05
const ZERO_SHARE = 0.4
const BEYOND_ASCII = /[\u0080-\uFFFF]/g
/** A character such as an emoji as older databases write it: its two UTF-16 surrogates, each as if it were one. */
const SURROGATES = /\u00ED[\u00A0-\u00AF][\u0080-\u00BF]\u00ED[\u00B0-\u00BF][\u0080-\u00BF]/g
const BYTES_OF_SURROGATES = 6

/**
 * The encoding and the delimiter of a text file, from its first bytes. The delimiter is the one that yields the most
 * known headings. @throws IMPORT_UNREADABLE
 */
export function csvFormatOf(firstBytes: Uint8Array, isUtf8: boolean, isKnown: (heading: string) => boolean): CsvFormat {
  const encoding = encodingOf(firstBytes, isUtf8)
  if (isBinary(firstBytes, encoding)) throw new AppError('IMPORT_UNREADABLE')
  const text = new TextDecoder(encoding).decode(firstBytes)
  const declared = SEPARATOR_LINE.exec(text)?.[1]
  return { encoding, delimiter: declared ?? bestDelimiter(text, isKnown) }
}

/** Whether a text is UTF-8 with some damage: Windows-1252, read as UTF-8, has hardly any whole characters. */
export async function isMostlyUtf8(pieces: AsyncIterable<Uint8Array>): Promise<boolean> {
  const decoder = new TextDecoder()
  let [whole, broken] = [0, 0]
  for await (const piece of pieces) {
    const characters = decoder.decode(piece, { stream: true }).match(BEYOND_ASCII) ?? []
    const unreadable = characters.filter((one) => one === UNREADABLE).length
    const surrogates = Buffer.from(piece).toString('latin1').match(SURROGATES)?.length ?? 0
    whole += characters.length - unreadable + surrogates
    broken += unreadable - surrogates * BYTES_OF_SURROGATES
  }
  return whole > broken
}

/**
 * The rows of a text file without blank ones, in pieces.
 * @throws IMPORT_QUOTE_OPEN, IMPORT_ROW_TOO_LONG, IMPORT_TOO_MANY_ROWS
 */
export async function* readCsv(
  bytes: AsyncIterable<Uint8Array>,
  { encoding, delimiter }: CsvFormat,
): AsyncGenerator<SheetRow[]> {
  const lines = new LineCounter()
  const parser = parse({ ...optionsFor(delimiter), on_record: (cells: string[]) => lines.add(cells) })
  // Each call of the parser gets its own failure as well.
  parser.on('error', () => {})
  try {
    for await (const chunk of decode(bytes, encoding)) {
      const before = lines.next
      await write(parser, chunk)
      lines.refuseLong(lines.next === before ? chunk.length : 0)
      yield lines.takeRows()
    }
    await write(parser, undefined)
  } catch (error) {
    throw refusalOf(error, lines.next)
  }
  yield lines.takeRows()
}

/** Counts the lines, since the parser does not say on which one a row begins. */
class LineCounter {
  next = 1
  private rows: SheetRow[] = []
  private unfinished = 0
  private blank = 0

  /** The parser's own limit counts the text of cells only, and so allows any number of empty ones. */
  refuseLong(unfinished: number): void {
    this.unfinished = unfinished === 0 ? 0 : this.unfinished + unfinished
    if (this.unfinished > LONGEST_ROW) throw tooLong(this.next)
  }

  add(cells: string[]): null {
    if (cells.length > MOST_CELLS) throw tooLong(this.next)
    const isSeparatorLine = this.next === 1 && /^sep=/i.test(cells[0] ?? '')
    if (cells.every((cell) => cell.trim() === '')) this.countBlank()
    else if (!isSeparatorLine) this.rows.push({ line: this.next, cells })
    this.next += 1 + breaksIn(cells)
    return null
  }

  private countBlank(): void {
    this.blank += 1
    if (this.blank > MOST_BLANK_ROWS) throw new AppError('IMPORT_TOO_MANY_ROWS')
  }

  takeRows(): SheetRow[] {
    const { rows } = this
    this.rows = []
    return rows
  }
}

function breaksIn(cells: string[]): number {
  let breaks = 0
  for (const cell of cells)
    if (cell.includes('\n') || cell.includes('\r')) breaks += cell.match(LINE_BREAKS)?.length ?? 0
  return breaks
}

function optionsFor(delimiter: string): Options {
  return {
    delimiter,
    bom: true,
    relax_quotes: true,
    relax_column_count: true,
    record_delimiter: ['\r\n', '\n', '\r'],
    max_record_size: LONGEST_ROW,
  }
}

function write(parser: Parser, chunk: Uint8Array | string | undefined): Promise<void> {
  return new Promise((done, fail) => {
    const callback = (error?: Error | null) => (error ? fail(error) : done())
    if (chunk === undefined) parser.end(callback)
    else parser.write(chunk, callback)
  })
}

function bestDelimiter(text: string, isKnown: (heading: string) => boolean): string {
  const scored = DELIMITERS.map((delimiter) => {
    const scores = firstRows(text, delimiter).map((row) => row.filter(isKnown).length * 1000 + row.length)
    return { delimiter, score: Math.max(0, ...scores) }
  })
  return scored.toSorted((one, other) => other.score - one.score)[0]?.delimiter ?? ','
}

// A row that is not valid with one delimiter may be with another; if with none, reading the file refuses it.
function firstRows(text: string, delimiter: string): string[][] {
  const rows: string[][] = []
  const keep = (cells: string[]) => {
    rows.push(cells)
    return null
  }
  try {
    parseAtOnce(text, { ...optionsFor(delimiter), skip_empty_lines: true, to: ROWS_WITH_HEADINGS, on_record: keep })
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
  }
  return rows
}

function refusalOf(error: unknown, line: number): unknown {
  if (!(error instanceof CsvError)) return error
  if (error.code === 'CSV_MAX_RECORD_SIZE') return tooLong(line, error)
  return new AppError('IMPORT_QUOTE_OPEN', { cause: error, values: { line } })
}

function tooLong(line: number, cause?: unknown): AppError {
  return new AppError('IMPORT_ROW_TOO_LONG', { cause, values: { line } })
}

/** The encoding of a text file, from its first bytes and whether it is UTF-8 if it is not UTF-16. */
function encodingOf(firstBytes: Uint8Array, isUtf8: boolean): Encoding {
  const marked = BYTE_ORDER_MARKS.find(([, mark]) => mark.every((byte, index) => firstBytes[index] === byte))
  return marked?.[0] ?? wideEncodingOf(firstBytes) ?? (isUtf8 ? 'utf-8' : 'windows-1252')
}

/** Whether the bytes are not text: a known signature, or too many control characters. */
function isBinary(firstBytes: Uint8Array, encoding: Encoding): boolean {
  const start = String.fromCharCode(...firstBytes.subarray(0, 4))
  if (SIGNATURES.some((signature) => start.startsWith(signature))) return true
  if (encoding.startsWith('utf-16')) return false
  const bytes = firstBytes.subarray(0, LOOKED_AT)
  return bytes.filter(isControl).length > bytes.length * BINARY_SHARE
}

/** Leaves UTF-8 as bytes, which the parser takes, and turns everything else into text. */
async function* decode(chunks: AsyncIterable<Uint8Array>, encoding: Encoding): AsyncGenerator<Uint8Array | string> {
  if (encoding === 'utf-8') return yield* chunks
  const decoder = new TextDecoder(encoding)
  for await (const chunk of chunks) yield decoder.decode(chunk, { stream: true })
  yield decoder.decode()
}

// Without a byte order mark, UTF-16 is recognized by the zero byte in each digit and separator.
function wideEncodingOf(firstBytes: Uint8Array): Encoding | undefined {
  const bytes = firstBytes.subarray(0, LOOKED_AT)
  const pairs = Math.floor(bytes.length / 2)
  if (pairs === 0) return undefined
  const zeros = (parity: number) => bytes.filter((byte, index) => byte === 0 && index % 2 === parity).length / pairs
  const [even, odd] = [zeros(0), zeros(1)]
  if (odd > ZERO_SHARE && even < BINARY_SHARE) return 'utf-16le'
  return even > ZERO_SHARE && odd < BINARY_SHARE ? 'utf-16be' : undefined
}

function isControl(byte: number): boolean {
  return byte < 0x09 || (byte > 0x0d && byte < 0x20)
}
