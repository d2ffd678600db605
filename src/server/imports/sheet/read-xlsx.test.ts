import { expect, test } from 'vitest'
import { aWorkbook, sheetXml } from '#support/spreadsheet.ts'
import type { Cell } from './cells.ts'
import { readXlsx } from './read-xlsx.ts'

/** The cells of each row, as read in this process. */
async function rowsOf(workbook: Buffer): Promise<Cell[][]> {
  const rows: Cell[][] = []
  for await (const { cells } of readXlsx(workbook)) rows.push(cells)
  return rows
}

const FORMAT = '<numFmts count="1"><numFmt numFmtId="164" formatCode="FORMAT"/></numFmts>'
const IN_FORMAT = `${sheetXml([['Name']])}<row r="2"><c r="A2" s="2"><v>46000</v></c></row>`

/** A workbook whose second row is a number in this format. */
function formatted(format: string): Buffer {
  return aWorkbook(IN_FORMAT, (parts) => ({
    ...parts,
    'xl/styles.xml': (parts['xl/styles.xml'] ?? '')
      .replace('<cellXfs>', `${FORMAT.replace('FORMAT', format)}<cellXfs>`)
      .replace('</cellXfs>', '<xf numFmtId="164"/></cellXfs>'),
  }))
}

test('a number format that the reader would look at for minutes is refused beforehand', async () => {
  expect(await rowsOf(formatted('dd/mm/yyyy;@'))).toEqual([['Name'], ['2025-12-09']])
  expect(await rowsOf(formatted('['.repeat(5000)))).toEqual([['Name'], [46_000]])
  await expect(rowsOf(formatted('['.repeat(400_000)))).rejects.toMatchObject({ key: 'IMPORT_SHEET_TOO_LARGE' })
})

const withCell = (attributes: string, value: string) =>
  aWorkbook(`${sheetXml([['Name']])}<row r="2"><c r="A2" ${attributes}><v>${value}</v></c></row>`)

test.each([`t="e"`, `s="1" t="e"`, `t='e'`])(
  'an error of a formula is a text, and not an empty cell: %s',
  async (attributes) => {
    expect(await rowsOf(withCell(attributes, '#REF!'))).toEqual([['Name'], ['#REF!']])
  },
)

test.each([
  ['', '#REF!'],
  ['s="1"', '#REF!'],
  ['t="b"', 'yes'],
  ['t="s"', '7'],
  ['t="d"', 'tomorrow'],
])('a cell that cannot be read is named: %s %s', async (attributes, value) => {
  await expect(rowsOf(withCell(attributes, value))).rejects.toMatchObject({
    key: 'IMPORT_CELL_UNREADABLE',
    values: { cell: 'A2' },
  })
})
