import { CsvError, parse, type Options, type Parser } from 'csv-parse'
import { parse as parseAtOnce } from 'csv-parse/sync'
import { AppError } from '#shared/errors.ts'
import type { Cell } from './cells.ts'
import { decode, encodingOf, isBinary, type Encoding } from './decode.ts'

export interface SheetLine {
  /** Where the row begins in the file, from 1. */
  line: number
  cells: Cell[]
}

export interface CsvFormat {
  encoding: Encoding
  delimiter: string
}

/** Above the headings may stand a title. */
export const ROWS_TO_HEAD = 10
const DELIMITERS = [',', ';', '\t', '|']
const LONGEST_ROW = 1_000_000
const MOST_CELLS = 1000
/** They are skipped, but take their time. */
const MOST_BLANK_ROWS = 100_000
const SEPARATOR_LINE = /^\uFEFF?sep=(.)\r?\n/i
const LINE_BREAKS = /\r\n|\r|\n/g

/** How a text file is written, by its beginning: the delimiter is the one that makes the most known headings. */
export function csvFormatOf(head: Uint8Array, isUtf8: boolean, isKnown: (heading: string) => boolean): CsvFormat {
  const encoding = encodingOf(head, isUtf8)
  if (isBinary(head, encoding)) throw new AppError('IMPORT_UNREADABLE')
  const text = new TextDecoder(encoding).decode(head)
  const told = SEPARATOR_LINE.exec(text)?.[1]
  return { encoding, delimiter: told ?? bestDelimiter(text, isKnown) }
}

/** The rows of a text file, some at a time, without blank ones. @throws IMPORT_QUOTE_OPEN, IMPORT_ROW_TOO_LONG, IMPORT_TOO_MANY_ROWS */
export async function* readCsv(
  bytes: AsyncIterable<Uint8Array>,
  { encoding, delimiter }: CsvFormat,
): AsyncGenerator<SheetLine[]> {
  const lines = new LineCounter()
  const parser = parse({ ...optionsFor(delimiter), on_record: (cells: string[]) => lines.take(cells) })
  // Every failure is also given to the call that met it.
  parser.on('error', () => {})
  try {
    for await (const chunk of decode(bytes, encoding)) {
      const before = lines.next
      await written(parser, chunk)
      lines.refuseLong(lines.next === before ? chunk.length : 0)
      yield lines.given()
    }
    await written(parser, undefined)
  } catch (error) {
    throw refusalOf(error, lines.next)
  }
  yield lines.given()
}

/** Tells where each row begins, which the parser does not. */
class LineCounter {
  next = 1
  private rows: SheetLine[] = []
  private unended = 0
  private blank = 0

  /** The parser's own limit counts what stands in cells, so that it lets through any number of empty ones. */
  refuseLong(unended: number): void {
    this.unended = unended === 0 ? 0 : this.unended + unended
    if (this.unended > LONGEST_ROW) throw tooLong(this.next)
  }

  take(cells: string[]): null {
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

  given(): SheetLine[] {
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

function written(parser: Parser, chunk: Uint8Array | string | undefined): Promise<void> {
  return new Promise((done, fail) => {
    const answered = (error?: Error | null) => (error ? fail(error) : done())
    if (chunk === undefined) parser.end(answered)
    else parser.write(chunk, answered)
  })
}

function bestDelimiter(text: string, isKnown: (heading: string) => boolean): string {
  const scored = DELIMITERS.map((delimiter) => {
    const scores = firstRows(text, delimiter).map((row) => row.filter(isKnown).length * 1000 + row.length)
    return { delimiter, score: Math.max(0, ...scores) }
  })
  return scored.toSorted((one, other) => other.score - one.score)[0]?.delimiter ?? ','
}

// Rows that one delimiter cannot read may be another's; what none reads is refused when it is read in earnest.
function firstRows(text: string, delimiter: string): string[][] {
  const rows: string[][] = []
  const keep = (cells: string[]) => {
    rows.push(cells)
    return null
  }
  try {
    parseAtOnce(text, { ...optionsFor(delimiter), skip_empty_lines: true, to: ROWS_TO_HEAD, on_record: keep })
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
