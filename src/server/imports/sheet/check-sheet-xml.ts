import { AppError } from '#shared/errors.ts'

/** The last cell of a sheet is XFD1048576. */
const LAST_COLUMN = 16_384
const LAST_ROW = 1_048_576
/** As many as a CSV file may have, see read-csv.ts. */
const MOST_COLUMNS = 1000
/** The rows of an import, and the blank ones that a CSV file may have between them. */
const LAST_ROW_READ = 300_000
/** The reader fills every row of a sheet up to the last column. */
const MOST_CELLS = 10_000_000
/** The reader may compare each character of a number format with all that follow. This many take half a second. */
const MOST_FORMAT_STEPS = 500_000_000
/** A cell holds 32,767 characters. */
const LONGEST_TOKEN = 1_000_000
const DEEPEST = 100

const SPACE = '[ \\t\\r\\n]'
const NAME = '[A-Za-z_:][\\w:.-]*'
const ATTRIBUTE = `${SPACE}+${NAME}${SPACE}*=${SPACE}*(?:"[^"<]*"|'[^'<]*')`
const TAG = new RegExp(`<(/?)(${NAME})((?:${ATTRIBUTE})*)${SPACE}*(/?)>`, 'y')
const OTHER = /<(?:\?[^]*?\?>|!--[^]*?-->|!\[CDATA\[[^]*?\]\]>)/y
const REFERENCES = new RegExp(`(?:^|[ \\t\\r\\n:])r${SPACE}*=${SPACE}*(?:"([^"]*)"|'([^']*)')`, 'g')
/** How programs write nearly all cells; the general expression takes three times as long. */
const USUAL = /^ r="(\w+)"(?: s="\d+")?(?: t="\w+")?$/
const CELL = /^([A-Z]{1,3})([1-9]\d{0,6})$/
const ROW = /^[1-9]\d{0,6}$/

/**
 * Checks a part of a workbook before the reader gets it: the reader allocates every cell up to the last one, wherever
 * that claims to be, and rescans long text again and again.
 * @throws IMPORT_UNREADABLE, IMPORT_TOO_MANY_COLUMNS, IMPORT_TOO_MANY_ROWS, IMPORT_SHEET_TOO_LARGE
 */
export function checkSheetXml(xml: string): void {
  const extent = new Extent()
  let [at, depth] = [0, 0]
  for (let next = xml.indexOf('<'); next >= 0; next = xml.indexOf('<', at)) {
    TAG.lastIndex = next
    const tag = TAG.exec(xml)
    const end = tag ? TAG.lastIndex : endOfOther(xml, next)
    if (next - at > LONGEST_TOKEN || end - next > LONGEST_TOKEN) throw unreadable()
    if (tag) {
      const [, isEnd, name = '', attributes = '', isEmpty] = tag
      if (!isEnd) extent.add(name.slice(name.lastIndexOf(':') + 1), attributes)
      if (!isEmpty) depth += isEnd ? -1 : 1
    }
    if (depth > DEEPEST) throw unreadable()
    at = end
  }
  if (xml.length - at > LONGEST_TOKEN) throw unreadable()
}

/** How far the cells that have a value reach, and how long the number formats are. */
class Extent {
  private cell = { row: 0, column: 0 }
  private row = 0
  private rows = 0
  private lastRow = 0
  private lastColumn = 0
  private formatSteps = 0

  add(element: string, attributes: string): void {
    if (element === 'c') this.cell = this.cellAt(attributes)
    else if (element === 'row') this.openRow(attributes)
    else if (element === 'v' || element === 'is') this.fill()
    else if (element === 'numFmt') this.addFormat(attributes)
  }

  private openRow(attributes: string): void {
    this.rows += 1
    if (this.rows > LAST_ROW) throw unreadable()
    this.row = 0
    for (const reference of referencesIn(attributes)) {
      if (!ROW.test(reference) || Number(reference) > LAST_ROW) throw unreadable()
      this.row = Math.max(this.row, Number(reference))
    }
  }

  private cellAt(attributes: string): { row: number; column: number } {
    let [row, column] = [this.row, 0]
    for (const reference of referencesIn(attributes)) {
      const [, letters = '', digits = ''] = CELL.exec(reference) ?? []
      const [cellRow, cellColumn] = [Number(digits), columnNumber(letters)]
      if (cellColumn === 0 || cellColumn > LAST_COLUMN || cellRow > LAST_ROW) throw unreadable()
      row = Math.max(row, cellRow)
      column = Math.max(column, cellColumn)
    }
    return { row, column }
  }

  private addFormat({ length }: string): void {
    this.formatSteps += length ** 2
    if (this.formatSteps > MOST_FORMAT_STEPS) throw new AppError('IMPORT_SHEET_TOO_LARGE')
  }

  private fill(): void {
    this.lastRow = Math.max(this.lastRow, this.cell.row)
    this.lastColumn = Math.max(this.lastColumn, this.cell.column)
    if (this.lastColumn > MOST_COLUMNS) throw new AppError('IMPORT_TOO_MANY_COLUMNS')
    if (this.lastRow > LAST_ROW_READ) throw new AppError('IMPORT_TOO_MANY_ROWS')
    if (this.lastRow * this.lastColumn > MOST_CELLS) throw new AppError('IMPORT_SHEET_TOO_LARGE')
  }
}

/** Every `r` attribute, whatever its prefix: the reader ignores prefixes. */
function referencesIn(attributes: string): string[] {
  const [, usual] = USUAL.exec(attributes) ?? []
  if (usual !== undefined) return [usual]
  return Array.from(attributes.matchAll(REFERENCES), ([, double, single]) => double ?? single ?? '')
}

function columnNumber(letters: string): number {
  let number = 0
  for (const letter of letters) number = number * 26 + letter.charCodeAt(0) - 64
  return number
}

/** The letters of a column: A for 1, AA for 27. */
export function columnLetters(column: number): string {
  if (column < 1) return ''
  return columnLetters(Math.floor((column - 1) / 26)) + String.fromCharCode(65 + ((column - 1) % 26))
}

function endOfOther(xml: string, at: number): number {
  OTHER.lastIndex = at
  if (!OTHER.test(xml)) throw unreadable()
  return OTHER.lastIndex
}

function unreadable(): AppError {
  return new AppError('IMPORT_UNREADABLE')
}
