import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { zipSync } from 'fflate'
import { ARCHIVE_FORMAT } from '#shared/schemas/archives.ts'
import { aPdf } from '#support/pdf.ts'
import { aPng } from '#support/pictures.ts'
import { byteEdits, editBytes, editText, NUMBERS, textEdits } from './edits.ts'
import { named, type HostileFile } from './hostile-files.ts'
import { withWrong, written, wrongValues } from './hostile-json.ts'

type Row = Record<string, unknown>
type Entries = Map<string, Buffer>

/** A few rows for each table of an archive, as an export writes them. */
const TABLES: Record<string, Row[]> = JSON.parse(
  readFileSync(join(import.meta.dirname, '../../fixtures/archive-rows.json'), 'utf8'),
)
const ENTRIES: Entries = new Map([
  ['archive.json', Buffer.from(JSON.stringify({ format: ARCHIVE_FORMAT }))],
  ...Object.entries(TABLES).map(([table, rows]): [string, Buffer] => [`${table}.json`, fileOf(rows)]),
  ['customers.csv', Buffer.from('Name\nHarbor Bakery\n')],
  ['logo.png', aPng(2, 2)],
  ['pdfs/contract-1.pdf', aPdf(200)],
  ['pdfs/contract-10.pdf', aPdf(200)],
])
const NAMES = [...ENTRIES.keys()]

function fileOf(rows: readonly unknown[]): Buffer {
  return Buffer.from(`[\n${rows.map(written).join(',\n')}\n]\n`)
}

function zipped(entries: Entries): Buffer {
  return Buffer.from(zipSync(Object.fromEntries(entries), { level: 1 }))
}

export const unharmedArchive: HostileFile = named('archive.zip', zipped(ENTRIES))

const anyName = fc.constantFrom(...NAMES)
const anyRow = fc.record({ table: fc.constantFrom(...Object.keys(TABLES)), row: fc.nat({ max: 99 }) })

const rowChange = fc.record({
  place: anyRow,
  way: fc.constantFrom('other', 'other', 'other', 'wrong', 'repeat', 'remove', 'many'),
  at: fc.nat(),
  wrong: wrongValues,
})
type RowChange = typeof rowChange extends fc.Arbitrary<infer Change> ? Change : never

const MANY = 2000

function changedRows(rows: readonly Row[], { place, way, at, wrong }: RowChange): unknown[] {
  const chosen = place.row % rows.length
  const counts: Record<string, number> = { repeat: 2, remove: 0, many: MANY }
  return rows.flatMap((row, index): unknown[] => {
    if (index !== chosen) return [row]
    if (way === 'wrong') return [withWrong(row, at, wrong)]
    if (way === 'other') return [withOther(row, at)]
    return Array.from({ length: counts[way] ?? 1 }, () => row)
  })
}

/** The value with one of its parts replaced by another of its kind, which is often let through to the database. */
function withOther(value: unknown, at: number): unknown {
  const parts = Object.entries(Object(value))
  const [name, part] = parts[at % parts.length] ?? []
  if (typeof value !== 'object' || name === undefined) return otherOf(value, at)
  const other = withOther(part, Math.floor(at / parts.length))
  return Array.isArray(value) ? value.with(Number(name), other) : { ...value, [name]: other }
}

const DAYS = ['1900-01-01', '2024-02-29', '2026-03-24', '2026-03-31', '2027-01-31', '2999-12-31']
const INSTANTS = ['1900-01-01T00:00:00Z', '2026-03-10T12:00:00.123456Z', '2999-12-31T23:59:59.999999Z']
const INTEGERS = [0, 1, 2, 3, 8, 10, 4711, 999_999, -5, 2_147_483_647, 2_147_483_648, 999_999_999_999]
const TEXTS = [
  '',
  'x',
  "a';--",
  '\u202Ea\u{10FFFF}',
  'x'.repeat(100),
  '𝕏'.repeat(150),
  'VIP',
  'a@b.test',
  '\uFFFE',
  'ß İ ﬁ',
]
const OTHERS = [null, true, false, 1, 'monthly', 'skipped', 'by_hand', '2026-03-24', ...INSTANTS]

function otherOf(value: unknown, at: number): unknown {
  const others = othersOf(value)
  return others[at % others.length]
}

function othersOf(value: unknown): readonly unknown[] {
  if (typeof value === 'number') return [...INTEGERS, value + 1, value - 1, value / 3]
  if (typeof value !== 'string') return OTHERS
  if (/^\d{4}-\d\d-\d\d$/.test(value)) return DAYS
  return /^\d{4}-\d\d-\d\dT/.test(value) ? INSTANTS : [...TEXTS, ...STATES]
}

/** Words of any column. */
const STATES = Object.values(TABLES).flatMap((rows) =>
  rows.flatMap((row) => Object.values(row).filter((value) => typeof value === 'string' && /^[a-z_]+$/.test(value))),
)

/** Sound files whose rows are wrong in one or two places: what is hostile gets to the readers of rows, and past them. */
const withOtherRows = fc.array(rowChange, { minLength: 1, maxLength: 2 }).map((changes) => {
  const entries = new Map(ENTRIES)
  for (const change of changes) {
    const { table } = change.place
    entries.set(`${table}.json`, fileOf(changedRows(TABLES[table] ?? [], change)))
  }
  return zipped(entries)
})

const withOtherText = fc.record({ name: anyName, edits: textEdits, bytes: byteEdits }).map(({ name, edits, bytes }) => {
  const content = ENTRIES.get(name) ?? Buffer.alloc(0)
  const text = name.endsWith('json') ? Buffer.from(editText(content.toString(), edits)) : content
  return zipped(new Map(ENTRIES).set(name, editBytes(text, bytes)))
})

/** What unpacks to far more than it is, or takes a reader far longer. */
const BOMBS: (() => string)[] = [
  () => ' '.repeat(20_000_000),
  () => '\n'.repeat(5_000_000),
  () => `[\n${'{},\n'.repeat(500_000)}`,
  () => `[\n${'['.repeat(900_000)}\n]\n`,
  () => `[\n${'{"a":'.repeat(150_000)}1${'}'.repeat(150_000)}\n]\n`,
  () => `[\n{"name":"${'x'.repeat(900_000)}"}\n]\n`,
]
const HOSTILE_NAMES = [
  '../company.json',
  '../../etc/passwd',
  '/etc/passwd',
  'C:\\company.json',
  'company.json/',
  'COMPANY.JSON',
  './company.json',
  'company.json\0',
  '__proto__',
  'constructor',
  'pdfs/contract-0.pdf',
  'pdfs/contract-9999999999.pdf',
  'pdfs/contract-01.pdf',
  'pdfs/../contract-1.pdf',
  'logo.jpg',
  'x'.repeat(60_000),
  '\u202E.json',
]
const entryChange = fc.record({
  way: fc.constantFrom('without', 'bomb', 'renamed', 'added', 'twice'),
  name: anyName,
  other: fc.oneof(fc.constantFrom(...HOSTILE_NAMES), anyName),
  bomb: fc.constantFrom(...BOMBS),
})

const withOtherEntries = entryChange.map(({ way, name, other, bomb }) => {
  const entries = new Map(ENTRIES)
  const content = ENTRIES.get(name) ?? Buffer.alloc(0)
  if (way === 'bomb') return zipped(entries.set(name, Buffer.from(bomb())))
  if (way === 'without' || way === 'renamed') entries.delete(name)
  return way === 'without' ? zipped(entries) : zippedWith(entries, way === 'twice' ? name : other, content)
})

/** With one more entry, whose name may be one that another has, or that no object can have. */
function zippedWith(entries: Entries, name: string, content: Buffer): Buffer {
  const bytes = Buffer.from(name)
  const standIn = '~'.repeat(bytes.length)
  const archive = zipped(new Map(entries).set(standIn, content))
  return Buffer.from(
    archive.toString('latin1').replaceAll(standIn, () => bytes.toString('latin1')),
    'latin1',
  )
}

const ENTRY_BYTES = 46
/** Of an entry in the directory, by their places: flags, method, checksum, sizes, lengths of its texts, and where it is. */
const FIELDS = [
  { at: 8, bytes: 2 },
  { at: 10, bytes: 2 },
  { at: 16, bytes: 4 },
  { at: 20, bytes: 4 },
  { at: 24, bytes: 4 },
  { at: 28, bytes: 2 },
  { at: 30, bytes: 2 },
  { at: 32, bytes: 2 },
  { at: 42, bytes: 4 },
]
const fieldChange = fc.record({
  entry: fc.nat({ max: NAMES.length - 1 }),
  field: fc.constantFrom(...FIELDS),
  number: fc.oneof(fc.constantFrom(...NUMBERS, 9, 99), fc.nat({ max: 50_000 })),
})

const withOtherFields = fc.array(fieldChange, { minLength: 1, maxLength: 2 }).map((changes) => {
  const archive = Buffer.from(unharmedArchive.bytes)
  for (const { entry, field, number } of changes)
    archive.writeUIntLE(number % 256 ** field.bytes, placeOf(archive, entry) + field.at, field.bytes)
  return archive
})

/** Where the directory of the unharmed archive has an entry. */
function placeOf(archive: Buffer, entry: number): number {
  let at = archive.readUInt32LE(archive.length - 6)
  for (let before = 0; before < entry; before += 1) at += ENTRY_BYTES + Buffer.byteLength(NAMES[before] ?? '')
  return at
}

const withOtherBytes = byteEdits.map((edits) => editBytes(unharmedArchive.bytes, edits))

/** Archives that are wrong in one way: mostly in their rows, and at times in their entries, their directory or anywhere. */
export const hostileArchive: fc.Arbitrary<HostileFile> = fc
  .oneof(
    { weight: 6, arbitrary: withOtherRows },
    { weight: 2, arbitrary: withOtherText },
    { weight: 1, arbitrary: withOtherEntries },
    { weight: 1, arbitrary: withOtherFields },
    { weight: 1, arbitrary: withOtherBytes },
  )
  .map((bytes) => named('archive.zip', bytes))
