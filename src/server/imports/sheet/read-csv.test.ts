import { fc, test as property } from '@fast-check/vitest'
import { describe, expect, test } from 'vitest'
import { isKnownHeading } from './columns.ts'
import type { SheetRow } from './cells.ts'
import { csvFormatOf, readCsv, type Encoding } from './read-csv.ts'
import { csvOf } from '#server/imports/write-csv.ts'

const isKnown = (heading: string) => isKnownHeading('customers', heading)

async function* inChunks(bytes: Buffer, size: number) {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

async function read(bytes: Buffer, size = 65_536): Promise<SheetRow[]> {
  const format = csvFormatOf(bytes.subarray(0, 65_536), isUtf8(bytes), isKnown)
  const found: SheetRow[] = []
  for await (const lines of readCsv(inChunks(bytes, size), format)) found.push(...lines)
  return found
}

function isUtf8(bytes: Buffer): boolean {
  return Buffer.from(bytes.toString('utf8')).equals(bytes)
}

const cellsOf = async (bytes: Buffer, size?: number) => (await read(bytes, size)).map((line) => line.cells)

const WINDOWS_1252 = Array.from(
  new TextDecoder('windows-1252').decode(Uint8Array.from({ length: 256 }, (_, byte) => byte)),
)

const WRITERS: Record<string, { encoding: Encoding; write: (text: string) => Buffer; letters: string }> = {
  'UTF-8': { encoding: 'utf-8', write: (text) => Buffer.from(text), letters: 'aé漢😀,;\t"\n\r ' },
  'UTF-8 with a mark': {
    encoding: 'utf-8',
    write: (text) => Buffer.from(`\uFEFF${text}`),
    letters: 'aé漢😀,;\t"\n\r ',
  },
  'UTF-16, low byte first': {
    encoding: 'utf-16le',
    write: (text) => Buffer.from(`\uFEFF${text}`, 'utf16le'),
    letters: 'aé漢😀,;\t"\n\r ',
  },
  'UTF-16, high byte first': {
    encoding: 'utf-16be',
    write: (text) => Buffer.from(`\uFEFF${text}`, 'utf16le').swap16(),
    letters: 'aé漢😀,;\t"\n\r ',
  },
  'UTF-16 without a mark': {
    encoding: 'utf-16le',
    write: (text) => Buffer.from(text, 'utf16le'),
    letters: 'aé,;\t"\n',
  },
  'Windows-1252': {
    encoding: 'windows-1252',
    write: (text) => Buffer.from(Array.from(text, (letter) => WINDOWS_1252.indexOf(letter))),
    // Without any byte that continues a UTF-8 character, as these could otherwise be valid by chance.
    letters: 'aéßÿ,;\t"\n\r ',
  },
}

describe.each(Object.entries(WRITERS))('a file in %s', (_name, { write, letters, encoding }) => {
  const cell = fc.string({ unit: fc.constantFrom(...Array.from(letters)), maxLength: 8 })
  const rows = fc.array(fc.tuple(cell, cell, cell), { maxLength: 8 })

  property.prop([
    rows,
    fc.constantFrom(',', ';', '\t'),
    fc.constantFrom('\r\n', '\n'),
    fc.integer({ min: 1, max: 40 }),
  ])(
    'comes back as it was written, whatever its delimiter, line ends and pieces',
    async (written, delimiter, end, size) => {
      const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`
      const all = [['Name', 'Phone', 'Ünknown'], ...written]
      const text = all.map((row) => row.map(quoted).join(delimiter)).join(end)
      const filled = all.filter((row) => row.some((one) => one.trim() !== ''))
      expect(await cellsOf(write(text), size)).toEqual(filled)
    },
  )

  test('is recognized', () => {
    const bytes = write('Name,Phone\nRené,1\n')
    expect(csvFormatOf(bytes, isUtf8(bytes), isKnown)).toEqual({ encoding, delimiter: ',' })
  })
})

const cells = fc.string({
  unit: fc.oneof(fc.string({ minLength: 1, maxLength: 1 }), fc.constantFrom('=', "'", '"', ',', '\n')),
})

property.prop([fc.array(fc.tuple(cells, cells), { maxLength: 6 })])(
  'what is exported is read as it was',
  async (rows) => {
    const { guardFormula, unguardFormula } = await import('#shared/domain/formula-guard.ts')
    const clean = rows.map((row) => row.map((cell) => cell.replaceAll('\u0000', '')))
    const bytes = Buffer.from(`\uFEFF${csvOf([['Name', 'Phone'], ...clean])}`)
    const filled = clean.filter((row) => row.some((cell) => guardFormula(cell).trim() !== ''))
    const found = (await cellsOf(bytes)).slice(1).map((row) => row.map((cell) => unguardFormula(String(cell))))
    expect(found).toEqual(filled)
  },
)

test('each row tells the line that it begins on, past blank lines and quoted line ends', async () => {
  const text = 'Name,Address\r\n\r\nA,"1\r\n2\r\n3"\r\n,\r\nB,x\nC,y\rD,z'
  const lines = await read(Buffer.from(text))
  expect(lines.map(({ line, cells: [first] }) => [line, first])).toEqual([
    [1, 'Name'],
    [3, 'A'],
    [7, 'B'],
    [8, 'C'],
    [9, 'D'],
  ])
})

test("Excel's own separator line is obeyed and left out", async () => {
  expect(await read(Buffer.from('sep=;\r\nName;Phone\r\nA, B;1\r\n'))).toEqual([
    { line: 2, cells: ['Name', 'Phone'] },
    { line: 3, cells: ['A, B', '1'] },
  ])
})

test('quotation marks inside a cell that is not quoted are kept', async () => {
  expect(await cellsOf(Buffer.from('Name,Phone\n5" pipe,1\n"A" Ltd,2\n'))).toEqual([
    ['Name', 'Phone'],
    ['5" pipe', '1'],
    ['"A" Ltd', '2'],
  ])
})

test('a row may have fewer or more cells than the first', async () => {
  expect(await cellsOf(Buffer.from('Name,Phone\nA\nB,1,2\n'))).toEqual([['Name', 'Phone'], ['A'], ['B', '1', '2']])
})

describe('a file that cannot be read', () => {
  test('says on which line the quotation mark opens that is never closed', async () => {
    await expect(read(Buffer.from('Name,Phone\nA,1\n"B,2\nC,3\n'))).rejects.toMatchObject({
      key: 'IMPORT_QUOTE_OPEN',
      message: expect.stringContaining('line 3 '),
    })
  })

  test('is given up where a row does not end', async () => {
    const endless = Buffer.from(`Name,Phone\nA,1\n"B${'\nx'.repeat(600_000)}`)
    await expect(read(endless)).rejects.toMatchObject({ key: 'IMPORT_ROW_TOO_LONG' })
  })

  test('is given up where it is very many blank rows', async () => {
    const blank = Buffer.from(`Name,Phone\nA,1\n${',\n'.repeat(100_001)}`)
    await expect(read(blank)).rejects.toMatchObject({ key: 'IMPORT_TOO_MANY_ROWS' })
  })

  test.each([
    ['one row of commas', ','.repeat(2_000_000)],
    ['more cells than any table', `Name,Phone\n${','.repeat(1001)}\n`],
  ])('is given up where it is %s', async (_what, text) => {
    await expect(read(Buffer.from(text))).rejects.toMatchObject({ key: 'IMPORT_ROW_TOO_LONG' })
  })

  test.each([
    ['a PDF', Buffer.from('%PDF-1.7\nabc')],
    ['a picture', Buffer.from('\u0089PNG\r\n\u001a\n', 'latin1')],
    ['an old Excel file', Buffer.from('d0cf11e0a1b11ae1', 'hex')],
    ['random bytes', Buffer.from(Array.from({ length: 3000 }, (_, n) => (n * 73 + (n >> 3) * 31) % 256))],
    ['zeros', Buffer.alloc(100)],
  ])('is refused where it is %s', async (_what, bytes) => {
    await expect(read(bytes)).rejects.toMatchObject({ key: 'IMPORT_UNREADABLE' })
  })
})
