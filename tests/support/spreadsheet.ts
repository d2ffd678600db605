import { strToU8, zipSync } from 'fflate'

const TYPES = 'http://schemas.openxmlformats.org/package/2006/content-types'
const RELATIONS = 'http://schemas.openxmlformats.org/package/2006/relationships'
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const DAY_FORMAT = 1
const DAY_MS = 86_400_000

export type SheetCell = string | number | boolean | Date | null

/** The smallest Excel file with these rows in its first sheet; dates are the numbers that Excel keeps of them. */
export function aSpreadsheet(rows: SheetCell[][]): Buffer {
  return aWorkbook(sheetXml(rows))
}

/** The rows of a sheet, as they stand in its part. */
export function sheetXml(rows: SheetCell[][]): string {
  return rows
    .map((row, index) => `<row r="${index + 1}">${row.map((cell, at) => xmlOf(cell, index, at)).join('')}</row>`)
    .join('')
}

/** An Excel file whose first sheet has these rows, as XML; its parts may be changed before they are packed. */
export function aWorkbook(rows: string, change = (parts: Record<string, string>) => parts): Buffer {
  const parts = change({
    '[Content_Types].xml': `<Types xmlns="${TYPES}"><Default Extension="xml" ContentType="application/xml"/></Types>`,
    '_rels/.rels': relations(['officeDocument', 'xl/workbook.xml']),
    'xl/workbook.xml': `<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}"><sheets><sheet name="Sheet1" sheetId="1" r:id="r1"/></sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': relations(['worksheet', 'worksheets/sheet1.xml'], ['styles', 'styles.xml']),
    'xl/styles.xml': `<styleSheet xmlns="${MAIN}"><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/></cellXfs></styleSheet>`,
    'xl/worksheets/sheet1.xml': `<worksheet xmlns="${MAIN}"><sheetData>${rows}</sheetData></worksheet>`,
  })
  const files = Object.entries(parts).map(([name, xml]) => [name, strToU8(`<?xml version="1.0"?>${xml}`)] as const)
  return Buffer.from(zipSync(Object.fromEntries(files), { level: 1 }))
}

function relations(...targets: [type: string, target: string][]): string {
  const lines = targets.map(
    ([type, target], index) => `<Relationship Id="r${index + 1}" Type="${OFFICE}/${type}" Target="${target}"/>`,
  )
  return `<Relationships xmlns="${RELATIONS}">${lines.join('')}</Relationships>`
}

function xmlOf(cell: SheetCell, row: number, column: number): string {
  const place = `r="${String.fromCharCode(65 + column)}${row + 1}"`
  if (cell === null) return ''
  if (typeof cell === 'number') return `<c ${place}><v>${cell}</v></c>`
  if (typeof cell === 'boolean') return `<c ${place} t="b"><v>${cell ? 1 : 0}</v></c>`
  if (cell instanceof Date) return `<c ${place} s="${DAY_FORMAT}"><v>${serialOf(cell)}</v></c>`
  const text = cell.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
  return `<c ${place} t="inlineStr"><is><t>${text}</t></is></c>`
}

function serialOf(day: Date): number {
  return (day.getTime() - Date.UTC(1899, 11, 30)) / DAY_MS
}
