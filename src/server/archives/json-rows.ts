import { AppError } from '#shared/errors.ts'

/** A row of a JSON file, by its number from 1. */
export interface NumberedRow {
  row: number
  value: unknown
}

const LONGEST_ROW = 1_000_000
const LONGEST_PROBLEM = 300
/** What PostgreSQL cannot store, as JSON writes it. */
const UNSTORABLE = /\\u(?:0000|d[89a-f])/i

/**
 * The rows of a JSON file as exports write it: a list with one row per line.
 * @throws ARCHIVE_ROW_INVALID
 */
export async function* jsonRows(file: string, bytes: AsyncIterable<Uint8Array>): AsyncGenerator<NumberedRow> {
  let row = 0
  let isOpen: boolean | undefined
  for await (const line of linesOf(file, bytes)) {
    if (isOpen === undefined) {
      if (line !== '[' && line !== '[]') throw invalidRow(file, 1, 'The file must be a list with one row per line')
      isOpen = line === '['
    } else if (line === ']' && isOpen) isOpen = false
    else if (line !== '') {
      row += 1
      if (!isOpen) throw invalidRow(file, row, 'It comes after the end of the list')
      yield { row, value: parsed(file, row, line.endsWith(',') ? line.slice(0, -1) : line) }
    }
  }
  if (isOpen !== false) throw invalidRow(file, row + 1, 'The list does not end')
}

export function invalidRow(file: string, row: number, problem: string): AppError {
  return new AppError('ARCHIVE_ROW_INVALID', { values: { file, row, problem: problem.slice(0, LONGEST_PROBLEM) } })
}

async function* linesOf(file: string, bytes: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let [rest, number] = ['', 0]
  const decoded = (piece?: Uint8Array) => {
    try {
      return decoder.decode(piece, { stream: piece !== undefined })
    } catch {
      throw invalidRow(file, number, 'It is not valid UTF-8')
    }
  }
  for await (const piece of bytes) {
    const lines = (rest + decoded(piece)).split('\n')
    rest = lines.pop() ?? ''
    if (rest.length > LONGEST_ROW) throw invalidRow(file, number, 'It is too long')
    for (const line of lines) {
      yield line.trim()
      number += 1
    }
  }
  yield (rest + decoded()).trim()
}

function parsed(file: string, row: number, text: string): unknown {
  if (text.length > LONGEST_ROW) throw invalidRow(file, row, 'It is too long')
  try {
    const value: unknown = JSON.parse(text)
    if (!UNSTORABLE.test(text) || isStorable(value)) return value
  } catch {
    throw invalidRow(file, row, 'It is not valid JSON')
  }
  throw invalidRow(file, row, 'It has characters that cannot be stored')
}

function isStorable(value: unknown): boolean {
  if (typeof value === 'string') return value.isWellFormed() && !value.includes('\0')
  if (typeof value !== 'object' || value === null) return true
  return Object.entries(value).every((entry) => entry.every(isStorable))
}
