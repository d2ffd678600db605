import { hash } from 'node:crypto'
import { foldText } from '#shared/domain/fold-text.ts'
import { AppError } from '#shared/errors.ts'
import type { ImportField } from '#shared/schemas/import-rows.ts'
import type { BulkUpload, ColumnMapping, ColumnsQuestion, ImportKind } from '#shared/schemas/imports.ts'
import { shownCell, type SheetRow } from './cells.ts'
import {
  fieldsOf,
  fieldsOffered,
  findColumns,
  headingOf,
  indexOfColumn,
  isClearHeading,
  neededFields,
  type Columns,
} from './columns.ts'
import { ROWS_WITH_HEADINGS } from './read-csv.ts'

/** A mapping that somebody has chosen for files with these headings. */
export interface KnownMapping {
  headingsKey: string
  mapping: ColumnMapping
}

/** The row that names the columns. */
export interface HeadingRow {
  /** The line on which it begins: anything above it is a title. */
  line: number
  /** The lines that may have the headings. */
  lines: ColumnsQuestion['lines']
  headings: string[]
  columns: Columns
  /** Whether the columns were mapped by hand, now or for an earlier file. */
  isMapped: boolean
  /** Whether another of the first rows also names every required field, or has been mapped before. */
  hasAlternative: boolean
}

interface HeadingOptions {
  kind: ImportKind
  answers: Pick<BulkUpload, 'mapping' | 'headingLine'>
  /** What was chosen for earlier files. */
  known: KnownMapping[]
}

/**
 * Finds the row of headings among the first rows: the one that was chosen, or whose headings have been mapped before, or
 * else the one that names the most fields. A mapping of unknown headings gives way to a complete row of known ones above it.
 * @throws IMPORT_EMPTY, IMPORT_HEADING_LINE_UNKNOWN, and what `findColumns` throws
 */
export function headingRowOf(rows: SheetRow[], { kind, answers, known }: HeadingOptions): HeadingRow {
  const chosen = typeof answers.mapping === 'object' ? answers.mapping : undefined
  const first = rows.slice(0, ROWS_WITH_HEADINGS)
  const candidates = first.map(({ line, cells }) => {
    const headings = cells.map((cell) => shownCell(cell).trim())
    const { found, missing } = findColumns(kind, headings)
    const score = found.length + headingsNamed(headings, chosen)
    const isWhole = missing.length === 0
    const isClear = isWhole && headings.every((heading) => heading !== '' && isClearHeading(kind, heading))
    return { line, headings, score, isWhole, isClear, key: headingsKey(kind, headings) }
  })
  const mapped = candidates.find(({ key }) => known.some(({ headingsKey: one }) => one === key))
  const above = candidates.find((one) => one.isClear && mapped && !mapped.isWhole && one.line < mapped.line)
  const remembered = above ?? mapped
  const best = chosenOf(candidates, answers.headingLine) ?? remembered ?? bestOf(candidates)
  if (!best) throw new AppError('IMPORT_EMPTY')
  const mapping = chosen ?? known.find(({ headingsKey: one }) => one === best.key)?.mapping
  const { line, headings } = best
  const columns = findColumns(kind, headings, mapping)
  const hasAlternative = candidates.some((one) => one !== best && (one.isWhole || one === mapped))
  return { line, lines: first.map(lineShown), headings, columns, isMapped: mapping !== undefined, hasAlternative }
}

function chosenOf<Row extends { line: number }>(candidates: Row[], line: number | undefined): Row | undefined {
  if (line === undefined || candidates.length === 0) return undefined
  const chosen = candidates.find((one) => one.line === line)
  if (!chosen) throw new AppError('IMPORT_HEADING_LINE_UNKNOWN', { values: { most: ROWS_WITH_HEADINGS } })
  return chosen
}

const MOST_CELLS_SHOWN = 4

function lineShown({ line, cells }: SheetRow): ColumnsQuestion['lines'][number] {
  const values = cells.map((cell) => shortened(shownCell(cell).trim())).filter((value) => value !== '')
  return { line, text: shortened(values.slice(0, MOST_CELLS_SHOWN).join(' · ')) }
}

interface Candidate {
  headings: string[]
  score: number
}

/** Without a known heading it is the first row that is not a title, which has one cell. */
function bestOf<Row extends Candidate>(candidates: Row[]): Row | undefined {
  const [best] = candidates.toSorted((one, other) => other.score - one.score)
  if (best && best.score > 0) return best
  return candidates.find(({ headings }) => headings.filter((heading) => heading !== '').length > 1) ?? best
}

function headingsNamed(headings: string[], mapping: ColumnMapping = {}): number {
  const named = Object.values(mapping).filter((column) => typeof column === 'string')
  return named.filter((column) => indexOfColumn(headings, column) !== undefined).length
}

/** @throws IMPORT_COLUMNS_MISSING */
export function refuseMissing({ headings, columns: { missing } }: HeadingRow): void {
  if (missing.length === 0) return
  throw new AppError('IMPORT_COLUMNS_MISSING', {
    values: { columns: missing.join(', ') },
    details: { missing, headings },
  })
}

/** The same for files with the same headings in any order, and for the file of their failed rows. */
export function headingsKey(kind: ImportKind, headings: string[]): string {
  const folded = headings.map(foldText).filter((heading) => heading !== '' && !ADDED_TO_FAILED_ROWS.has(heading))
  return hash('sha256', JSON.stringify([kind, ...folded.toSorted()]))
}

const ADDED_TO_FAILED_ROWS = new Set(['line', 'reason'])

/** Every field that is offered or has a column, with the heading of its column; undefined if one of the columns has no heading of its own to be found by. */
export function mappingToKeep(kind: ImportKind, { headings, columns }: HeadingRow): ColumnMapping | undefined {
  const isFoundAgain = columns.found.every(({ heading, index }) => indexOfColumn(headings, heading) === index)
  if (!isFoundAgain) return undefined
  const headingAt = new Map(columns.found.map(({ field, heading }) => [field, heading]))
  const fields = [...fieldsOffered(kind, headings), ...headingAt.keys()]
  return Object.fromEntries(fields.map((field) => [field, headingAt.get(field) ?? null]))
}

const MOST_SAMPLES = 3
const LONGEST_SAMPLE = 60
/** Enough to have samples of nearly every column that is used. */
const ROWS_WITH_SAMPLES = 200

/** The first values of each column. */
export class Samples {
  private readonly values = new Map<number, Set<string>>()
  private rows = 0

  add({ cells }: SheetRow): void {
    if (this.rows >= ROWS_WITH_SAMPLES) return
    this.rows += 1
    for (const [index, cell] of cells.entries()) {
      const value = shortened(shownCell(cell).trim())
      const known = this.values.get(index) ?? new Set()
      if (value !== '' && known.size < MOST_SAMPLES) this.values.set(index, known.add(value))
    }
  }

  of(index: number): string[] {
    return [...(this.values.get(index) ?? [])]
  }

  /** The columns that have any, from 0. */
  get columns(): number[] {
    return [...this.values.keys()]
  }
}

function shortened(value: string): string {
  return value.length > LONGEST_SAMPLE ? `${shownCell(value.slice(0, LONGEST_SAMPLE - 1))}…` : value
}

/** Whether rows are looked up by their reference among the contracts of the account. */
export function hasReferences(
  { columns }: Pick<HeadingRow, 'columns'>,
  answers: Pick<BulkUpload, 'existing'>,
): boolean {
  return findsExisting(answers) && columns.found.some(({ field }) => field === 'reference')
}

function findsExisting({ existing = 'add' }: Pick<BulkUpload, 'existing'>): boolean {
  return existing !== 'add'
}

/**
 * What to ask about the columns. Nothing if they have been mapped before, or if only one line can be the headings and
 * either every field has a column or every column with values has a field. After the line was chosen, always asks.
 */
export function columnsQuestion(
  { kind, answers }: { kind: ImportKind; answers: Pick<BulkUpload, 'headingLine' | 'existing'> },
  row: HeadingRow,
  samples: Samples,
): ColumnsQuestion | undefined {
  const { line, lines, headings, columns, isMapped, hasAlternative } = row
  const fieldAt = new Map<number, ImportField>(columns.found.map(({ field, index }) => [index, field]))
  const isUnclear = (index: number) => {
    const heading = headings[index] ?? ''
    return !fieldAt.has(index) && (heading === '' ? mayBeTitle(row) : !isClearHeading(kind, heading))
  }
  const own = columns.found.filter(({ contact }) => !contact)
  const isClear = own.length === fieldsOf(kind).length || !samples.columns.some(isUnclear)
  const isComplete = isMapped || (isClear && !hasAlternative)
  const isEnough = columns.missing.length === 0 || hasReferences(row, answers)
  if (isComplete && isEnough && answers.headingLine === undefined) return undefined
  const found = headings.map((heading, index) => ({
    number: index + 1,
    heading,
    samples: samples.of(index),
    field: fieldAt.get(index) ?? null,
  }))
  return {
    line,
    lines,
    found: found.filter((column) => column.heading !== '' || column.samples.length > 0),
    fields: fieldsOffered(kind, headings).map((field) => ({ field, label: headingOf(kind, field) })),
    needed: neededFields(kind),
    enough: kind === 'contracts' && findsExisting(answers) ? 'reference' : null,
  }
}

/** Blank headings above values are usual in the first line of a file, but also in a title such as "Name: Acme". */
function mayBeTitle({ line, lines, headings }: HeadingRow): boolean {
  return line !== lines[0]?.line || headings.filter((heading) => heading !== '').length === 1
}
