import fc from 'fast-check'
import { aJpeg, aPng } from '#support/pictures.ts'
import { aWorkbook, sheetXml, type SheetCell } from '#support/spreadsheet.ts'
import { byteEdits, editBytes, editText, textEdits } from './edits.ts'

export interface HostileFile {
  name: string
  bytes: Buffer
}

/** What fails is kept in a file; where it is told, a name and a length will do. */
export function named(name: string, bytes: Buffer): HostileFile {
  const file = { name, bytes }
  Object.defineProperty(file, fc.toStringMethod, { value: () => `${name}, ${bytes.length} bytes` })
  return file
}

const HEADINGS = [
  ['Name', 'Address', 'Phone', 'Customer Number', 'Email', 'Notifications', 'Date Added'],
  ['Customer', 'Amount', 'Start Date', 'Renewal Cycle', 'Renewal Date', 'Status'],
]
const WORDS = ['Acme', 'C-1', '1,234', '12.50', '01/02/2026', '2026-01-31', 'monthly', 'yes', 'a@example.com', '']
const text = fc.oneof(fc.constantFrom(...WORDS), fc.string({ unit: 'binary', maxLength: 12 }))
const anyCell: fc.Arbitrary<SheetCell> = fc.oneof(
  text,
  fc.double(),
  fc.boolean(),
  fc.date({ noInvalidDate: true }),
  fc.constant(null),
)

/** Rows under headings that an import of either kind knows. */
function tableOf<Cell>(cell: fc.Arbitrary<Cell>): fc.Arbitrary<(Cell | string)[][]> {
  const rows = fc.array(fc.array(cell, { maxLength: 8 }), { maxLength: 8 })
  return fc.tuple(fc.constantFrom(...HEADINGS), rows).map(([head, others]) => [head, ...others])
}

const ENCODINGS: ((content: string) => Buffer)[] = [
  (content) => Buffer.from(content),
  (content) => Buffer.from(`\uFEFF${content}`),
  (content) => Buffer.from(content, 'latin1'),
  (content) => Buffer.from(`\uFEFF${content}`, 'utf16le'),
  (content) => Buffer.from(content, 'utf16le'),
  (content) => Buffer.from(`\uFEFF${content}`, 'utf16le').swap16(),
]

export const hostileCsv: fc.Arbitrary<HostileFile> = fc
  .record({
    table: tableOf(text),
    delimiter: fc.constantFrom(',', ';', '\t', '|'),
    end: fc.constantFrom('\n', '\r\n', '\r'),
    edits: textEdits,
    encode: fc.constantFrom(...ENCODINGS),
    bytes: byteEdits,
  })
  .map(({ table, delimiter, end, edits, encode, bytes }) => {
    const content = table.map((row) => row.join(delimiter)).join(end)
    return named('file.csv', editBytes(encode(editText(content, edits)), bytes))
  })

/** Most workbooks are changed in one way alone, so that what is hostile is reached. */
function sometimes<Item>(items: fc.Arbitrary<Item[]>): fc.Arbitrary<Item[]> {
  return fc.oneof({ weight: 2, arbitrary: fc.constant<Item[]>([]) }, { weight: 1, arbitrary: items })
}

const PLACES = [
  'AAAAAAA2',
  'AAAAAA2',
  'XFD1048576',
  'XFE1',
  'ZZZ1',
  'A1048577',
  'A0',
  'A',
  '1',
  '',
  'a1',
  'A1:B2',
  '$A$1',
  'A-1',
  'A1.5',
  '&#65;AAAA1',
  'A00000001',
  'A99999999999999999999',
  'ALL1',
  'ALM1',
  'A300000',
  'A300001',
  'B2" r="AAAA1',
  "A1' t='s",
]
const cellEdit = fc.record({
  at: fc.nat({ max: 30 }),
  attribute: fc.oneof(
    fc.constantFrom(...PLACES).map((value) => `r="${value}"`),
    fc.constantFrom('s="999999999"', 's="-1"', 't="zzz"', 't="e"', 't="d"', 't="s"', 't="str"', 'x:r="AAAAA1"'),
  ),
})

/** Workbooks whose parts, cells and archive are changed after they were made. */
export const hostileWorkbook: fc.Arbitrary<HostileFile> = fc
  .record({
    table: tableOf(anyCell),
    shared: fc.array(text, { maxLength: 4 }),
    cells: fc.array(cellEdit, { maxLength: 3 }),
    part: fc.nat({ max: 6 }),
    edits: sometimes(textEdits),
    bytes: sometimes(byteEdits),
  })
  .map(({ table, shared, cells, part, edits, bytes }) => {
    const rows = cells.reduce(withAttribute, sheetXml(table))
    const workbook = aWorkbook(rows, (parts) => {
      const strings = shared.map((one) => `<si><t>${one.replaceAll('<', '&lt;')}</t></si>`).join('')
      const all = { ...parts, 'xl/sharedStrings.xml': `<sst>${strings}</sst>` }
      const names = Object.keys(all)
      return Object.fromEntries(
        Object.entries(all).map(([name, xml]) => [name, name === names[part] ? editText(xml, edits) : xml]),
      )
    })
    return named('file.xlsx', editBytes(workbook, bytes))
  })

/** The nth cell gets another place, or an attribute that contradicts what it holds. */
function withAttribute(rows: string, { at, attribute }: { at: number; attribute: string }): string {
  let seen = -1
  return rows.replaceAll(/<c r="\w+"/g, (cell) => {
    seen += 1
    if (seen !== at) return cell
    return attribute.startsWith('r=') ? `<c ${attribute}` : `${cell} ${attribute}`
  })
}

const PDF =
  '%PDF-1.7\n1 0 obj\n<< /Type /Catalog >>\nendobj\nxref\n0 1\ntrailer << /Root 1 0 R >>\nstartxref\n9\n%%EOF\n'

export const hostilePdf: fc.Arbitrary<HostileFile> = fc
  .record({ edits: textEdits, bytes: byteEdits })
  .map(({ edits, bytes }) => named('file.pdf', editBytes(Buffer.from(editText(PDF, edits), 'latin1'), bytes)))

const PICTURES = [aPng(3, 2), aPng(2000, 1), aPng(1, 2001), aJpeg(300, 200)]

/** Pictures whose headers, segments and ends are changed. */
export const hostileLogo: fc.Arbitrary<HostileFile> = fc
  .record({ picture: fc.constantFrom(...PICTURES), bytes: byteEdits })
  .map(({ picture, bytes }) => named('logo.png', editBytes(picture, bytes)))

/** What the file of each form holds, as one character for each byte. */
const CONTENTS = { file: 'Name\nAcme\n', pdf: PDF, logo: aJpeg(300, 200).toString('latin1') }

const formOf = (field: keyof typeof CONTENTS) =>
  [
    '--limit\r\nContent-Disposition: form-data; name="again"\r\n\r\ntrue\r\n',
    `--limit\r\nContent-Disposition: form-data; name="${field}"; filename="a.csv"\r\nContent-Type: text/csv\r\n\r\n`,
    `${CONTENTS[field]}\r\n`,
    '--limit--\r\n',
  ].join('')

/** A whole form with one file in this field, its boundaries and headers among what is changed. */
export function hostileForm(field: keyof typeof CONTENTS): fc.Arbitrary<HostileFile> {
  const encoding = field === 'logo' ? 'latin1' : 'utf8'
  return fc.record({ edits: textEdits, bytes: byteEdits }).map(({ edits, bytes }) => {
    return named('form', editBytes(Buffer.from(editText(formOf(field), edits), encoding), bytes))
  })
}
