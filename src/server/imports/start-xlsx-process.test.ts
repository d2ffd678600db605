import { once } from 'node:events'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { aSpreadsheet } from '#support/spreadsheet.ts'
import { spool } from './spool.ts'
import { startXlsxProcess, type MemoryLimit } from './start-xlsx-process.ts'

const WORKBOOK = aSpreadsheet([['Name'], ...Array.from({ length: 20_000 }, (_, n) => [`Customer ${n}`])])

/** How the process ends that reads a workbook of 20,000 rows with so much memory. */
async function endOf(memory?: MemoryLimit) {
  await using upload = await spool(Readable.from([WORKBOOK]), WORKBOOK.length)
  const { child, output } = startXlsxProcess(upload.file.fd, new AbortController().signal, memory)
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

test('it can read nothing of the machine, and neither write nor start anything', async () => {
  const { child } = startXlsxProcess(0, new AbortController().signal)
  child.kill('SIGKILL')
  await once(child, 'exit')
  const options = child.spawnargs.filter((argument) => argument.startsWith('--allow'))
  expect(options.map((option) => option.split('=')[0])).toEqual(Array(3).fill('--allow-fs-read'))
  expect(child.spawnargs).toContain('--permission')
})
