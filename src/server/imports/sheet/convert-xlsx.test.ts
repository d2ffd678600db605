import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { open, unlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'
import { aSpreadsheet } from '#support/spreadsheet.ts'
import { firstOf, startXlsxProcess, type MemoryLimit } from './convert-xlsx.ts'
import { saveUpload } from './upload-file.ts'
import { exitCodeOf, refusalOfExit } from './workbook.ts'

const WORKBOOK = aSpreadsheet([['Name'], ...Array.from({ length: 20_000 }, (_, n) => [`Customer ${n}`])])

/** How the process ends that reads a workbook of 20,000 rows with so much memory. */
async function endOf(memory?: MemoryLimit) {
  await using upload = await saveUpload(Readable.from([WORKBOOK]), { content: 'upload', mostBytes: WORKBOOK.length })
  const { child, output } = startXlsxProcess(upload.stored.file, new AbortController().signal, memory)
  const [rows, [code, killedBy]] = await Promise.all([text(output), once(child, 'exit')])
  return { code, killedBy, rows: rows.split('\n').length - 1 }
}

test('the process that reads a workbook writes a line of JSON for each row', async () => {
  expect(await endOf()).toEqual({ code: 0, killedBy: null, rows: 20_001 })
})

test.runIf(process.platform === 'linux')('it dies alone where the kernel gives it no more memory', async () => {
  const { code, killedBy } = await endOf({ dataKb: 620_000 })
  expect({ code, hasSignal: killedBy !== null }).toEqual({ code: null, hasSignal: true })
})

test('it is killed where it is seen to take too much', async () => {
  expect(await endOf({ residentKb: 1000 })).toMatchObject({ code: null, killedBy: 'SIGKILL' })
})

test('what it says of a fault is kept, and no more of it than a log can take', async () => {
  const path = join(tmpdir(), `traxx-${randomUUID()}`)
  await using unreadable = await open(path, 'w')
  await unreadable.write('x')
  onTestFinished(() => unlink(path))
  const { child, complaint } = startXlsxProcess(unreadable.fd, new AbortController().signal)
  const [code] = await once(child, 'exit')
  expect(refusalOfExit(code)).toBeUndefined()
  expect(await complaint).toContain('EBADF')
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
  ] as const
  const codes = keys.map((key) => exitCodeOf(key))
  expect(codes.map((code) => refusalOfExit(code ?? null))).toEqual(keys)
  for (const code of codes) expect(code).toSatisfy((one) => one >= 64 && one < 126)
})

test('it can read nothing of the machine, and neither write nor start anything', async () => {
  const { child } = startXlsxProcess(0, new AbortController().signal)
  child.kill('SIGKILL')
  await once(child, 'exit')
  const options = child.spawnargs.filter((argument) => argument.startsWith('--allow'))
  expect(options.map((option) => option.split('=')[0])).toEqual(Array(3).fill('--allow-fs-read'))
  expect(child.spawnargs).toContain('--permission')
})
