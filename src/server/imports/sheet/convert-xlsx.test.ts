import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { open, unlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'
import { aSpreadsheet, aWorkbook, sheetXml } from '#support/spreadsheet.ts'
import { convertXlsx, firstOf, secondsFor, startReaderProcess, type ReaderOptions } from './convert-xlsx.ts'
import { readerProgram } from './reader-program.ts'
import { readPieces, saveUpload } from './upload-file.ts'
import { exitCodeOf, refusalOfExit } from './workbook.ts'

const customers = (length: number) => aSpreadsheet([['Name'], ...Array.from({ length }, (_, n) => [`Customer ${n}`])])
const LARGE = customers(20_000)
const TOO_LARGE = { key: 'IMPORT_SHEET_TOO_LARGE' }
const SMALL = aSpreadsheet([['Name'], ['Ada']])

/** How many rows a workbook has, as read with so much memory or by another program. */
async function rowsOf(workbook: Buffer, options?: ReaderOptions): Promise<number> {
  await using upload = await saveUpload(Readable.from([workbook]), { content: 'upload', mostBytes: workbook.length })
  await using rows = await convertXlsx(upload.stored, new AbortController().signal, options)
  const pieces: Uint8Array[] = []
  for await (const piece of readPieces(rows.stored)) pieces.push(piece)
  return Buffer.concat(pieces).toString().split('\n').length - 1
}

/** Runs a program in place of the reader, with what that may do where it was not built. */
async function outputOf(program: string): Promise<string> {
  await using upload = await saveUpload(Readable.from([SMALL]), { content: 'upload', mostBytes: SMALL.length })
  const signal = new AbortController().signal
  const reads = readerProgram('', 'nowhere').slice(0, -1)
  const { child, output } = startReaderProcess(upload.stored.file, signal, { program: [...reads, '-e', program] })
  const [written] = await Promise.all([text(output), once(child, 'exit')])
  return written
}

test('each row of a workbook becomes a line', async () => {
  expect(await rowsOf(LARGE)).toBe(20_001)
})

test.runIf(process.platform === 'linux')(
  'a workbook for which the kernel gives no memory is too large, and one that takes less is read',
  async () => {
    const memory = { dataKb: 640_000 }
    await expect(rowsOf(customers(100_000), { memory })).rejects.toMatchObject(TOO_LARGE)
    expect(await rowsOf(SMALL, { memory })).toBe(2)
  },
)

test('a workbook whose reader is seen to take too much is too large, and the next one is read', async () => {
  // It does not end by itself before it is looked at.
  const program = ['-e', 'setInterval(() => {}, 1000)']
  await expect(rowsOf(SMALL, { memory: { residentKb: 1000 }, program })).rejects.toMatchObject(TOO_LARGE)
  expect(await rowsOf(SMALL, { memory: { residentKb: 800_000 } })).toBe(2)
})

test('a workbook whose reader takes too much of the processor is too large, and a small one gets few seconds', async () => {
  const program = ['-e', 'for (;;);']
  await expect(rowsOf(SMALL, { seconds: 1, program })).rejects.toMatchObject(TOO_LARGE)
  expect(secondsFor(3000)).toBe(5)
  expect(secondsFor(96 * 1024 ** 2)).toBe(20)
})

test('a cell that its process cannot read is named', async () => {
  const workbook = aWorkbook(`${sheetXml([['Name']])}<row r="2"><c r="A2"><v>#REF!</v></c></row>`)
  await expect(rowsOf(workbook)).rejects.toMatchObject({
    key: 'IMPORT_CELL_UNREADABLE',
    message: expect.stringContaining('Cell A2 of the spreadsheet cannot be read'),
  })
})

test('what it says of a fault is kept, and no more of it than a log can take', async () => {
  const path = join(tmpdir(), `traxx-${randomUUID()}`)
  await using unreadable = await open(path, 'w')
  await unreadable.write('x')
  onTestFinished(() => unlink(path))
  const { child, errorOutput } = startReaderProcess(unreadable.fd, new AbortController().signal)
  const [code] = await once(child, 'exit')
  expect(refusalOfExit(code)).toBeUndefined()
  expect(await errorOutput).toContain('EBADF')
  expect(await firstOf(Readable.from(['a'.repeat(1500), 'b'.repeat(1500), 'c']), 2000)).toBe(
    'a'.repeat(1500) + 'b'.repeat(500),
  )
})

test('a refusal has an exit code that neither Node nor the shell uses for something else', () => {
  const keys = [
    'IMPORT_UNREADABLE',
    'IMPORT_SHEET_TOO_LARGE',
    'IMPORT_TOO_MANY_ROWS',
    'IMPORT_TOO_MANY_COLUMNS',
    'IMPORT_CELL_UNREADABLE',
  ] as const
  const codes = keys.map((key) => exitCodeOf(key))
  expect(codes.map((code) => refusalOfExit(code ?? null))).toEqual(keys)
  for (const code of codes) expect(code).toSatisfy((one) => one >= 64 && one < 126)
})

test('a program in its place has no environment, and can read, write and start nothing of the machine', async () => {
  const written = join(tmpdir(), `traxx-${randomUUID()}`)
  const acts = {
    read: `fs.readFileSync('/etc/passwd')`,
    write: `fs.writeFileSync(${JSON.stringify(written)}, 'x')`,
    spawn: `require('node:child_process').execFileSync('/bin/echo')`,
    thread: `new (require('node:worker_threads').Worker)('1', { eval: true })`,
    evaluate: `new Function('return 1')()`,
    readOwn: `fs.readFileSync(${JSON.stringify(import.meta.filename)}).length > 0`,
    readFile: `fs.readSync(3, Buffer.alloc(2), 0, 2, 0) === 2`,
    // The shell sets these itself.
    environment: `Object.keys(process.env).filter((name) => !['PWD', 'OLDPWD', 'SHLVL', '_'].includes(name))`,
  }
  const program = Object.entries(acts).map(
    ([name, act]) => `try { done.${name} = ${act} } catch (error) { done.${name} = error.code ?? error.name }`,
  )
  const output = await outputOf(
    `const fs = require('node:fs'); const done = {}; ${program.join('\n')}; console.log(JSON.stringify(done))`,
  )
  const denied = 'ERR_ACCESS_DENIED'
  expect(JSON.parse(output)).toEqual({
    read: denied,
    write: denied,
    spawn: denied,
    thread: denied,
    evaluate: 'EvalError',
    readOwn: true,
    readFile: true,
    environment: [],
  })
  expect(existsSync(written)).toBe(false)
})
