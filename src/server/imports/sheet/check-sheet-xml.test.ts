import { expect, test } from 'vitest'
import { checkSheetXml, columnLetters } from './check-sheet-xml.ts'

const sheet = (rows: string) => `<?xml version="1.0"?><worksheet><!-- <a> --><sheetData>${rows}</sheetData></worksheet>`
const cell = (reference: string, inside = '<v>1</v>') => sheet(`<row r="1"><c r=${reference}>${inside}</c></row>`)
const spaces = ' '.repeat(1_000_001)

test.each([
  ['the last column with a format and no value', cell('"XFD1"', '')],
  ['the last row without a value', sheet('<row r="1048576"/>')],
  ['the thousandth column', cell(`'ALL1'`)],
  [
    'a prefix',
    '<x:worksheet><x:sheetData><x:row r="2"><x:c r="B2" s="1" t="str"><x:v>"&gt;"</x:v></x:c></x:row></x:sheetData></x:worksheet>',
  ],
  ['a cell without a reference', sheet('<row><c><v>1</v></c></row>')],
  ['character data', sheet('<row r="1"><c r="A1" t="str"><v><![CDATA[<c r="AAAA1">]]></v></c></row>')],
])('%s is let through', (_what, xml) => {
  expect(() => checkSheetXml(xml)).not.toThrow()
})

const formats = (count: number, length: number) =>
  `<styleSheet><numFmts>${`<x:numFmt formatCode="${'0'.repeat(length)}"/>`.repeat(count)}</numFmts></styleSheet>`

test('number formats may be many or long, and not both', () => {
  for (const [count, length] of [
    [2500, 250],
    [1, 20_000],
  ] as const)
    expect(() => checkSheetXml(formats(count, length))).not.toThrow()
  for (const [count, length] of [
    [1, 400_000],
    [2500, 2500],
  ] as const) {
    expect(() => checkSheetXml(formats(count, length))).toThrow(
      expect.objectContaining({ key: 'IMPORT_SHEET_TOO_LARGE' }),
    )
  }
})

test.each([
  [1, 'A'],
  [26, 'Z'],
  [27, 'AA'],
  [702, 'ZZ'],
  [703, 'AAA'],
  [16_384, 'XFD'],
])('column %i is %s', (column, letters) => {
  expect(columnLetters(column)).toBe(letters)
})

test.each([
  ['a column after XFD', cell('"XFE1"')],
  ['a column of four letters', cell('"AAAA1"')],
  ['a column far out', cell('"AAAAAAA2"')],
  ['a row after the last', cell('"A1048577"')],
  ['a row element after the last', sheet('<row r="99999999"/>')],
  ['a reference in lower case', cell('"a1"')],
  ['a reference with an entity', cell('"&#65;AAAA1"')],
  ['a second reference', cell('"A1" r="AAAA1"')],
  ['a second reference with a prefix', cell(`"A1" x:r='AAAA1'`)],
  ['a reference after spaces', cell(' "AAAA1"')],
  ['a tag that is not closed', '<worksheet><c r="A1'],
  ['an attribute without quotes', cell('A1')],
  ['a comment that is not closed', '<worksheet><!-- '],
  ['a document type', '<!DOCTYPE a [<!ENTITY b "c">]><worksheet/>'],
  ['spaces without end between elements', sheet(spaces)],
  ['a text without end', cell('"A1"', `<v>${spaces}</v>`)],
  ['an attribute without end', sheet(`<row r="1" a="${spaces}"/>`)],
  ['a comment without end', sheet(`<!--${spaces}-->`)],
  ['an end without end', `<worksheet/>${spaces}`],
  ['elements within elements', '<a>'.repeat(101)],
  ['more rows than a sheet has', '<row/>'.repeat(1_048_577)],
])('%s is refused', (_what, xml) => {
  expect(() => checkSheetXml(xml)).toThrow(expect.objectContaining({ key: 'IMPORT_UNREADABLE' }))
})

test.each([
  ['IMPORT_TOO_MANY_COLUMNS', cell('"ALM1"')],
  ['IMPORT_TOO_MANY_ROWS', sheet('<row r="300001"><c r="A300001"><is><t>a</t></is></c></row>')],
  ['IMPORT_TOO_MANY_ROWS', cell('"A1048576"')],
  [
    'IMPORT_SHEET_TOO_LARGE',
    sheet('<row r="1"><c r="ALL1"><v>1</v></c></row><row r="20000"><c r="A20000"><v>1</v></c></row>'),
  ],
])('what the reader would have to make too much room for is %s', (key, xml) => {
  expect(() => checkSheetXml(xml)).toThrow(expect.objectContaining({ key }))
})
