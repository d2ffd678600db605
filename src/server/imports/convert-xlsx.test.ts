import { Readable } from 'node:stream'
import { expect, onTestFinished, test } from 'vitest'
import { BulkUpload } from '#shared/schemas/imports.ts'
import { aSpreadsheet } from '#support/spreadsheet.ts'
import { openReader } from './sheet-reader.ts'
import { spool, storedSheet } from './spool.ts'

const { signal } = new AbortController()

async function task(content: Buffer) {
  const upload = await spool(Readable.from([content]), content.length)
  onTestFinished(() => upload[Symbol.asyncDispose]())
  return { kind: 'customers' as const, answers: BulkUpload.parse({}), upload: storedSheet('upload', upload) }
}

test('a workbook comes as its rows, in batches, from a process of its own', async () => {
  await using reader = await openReader(await task(aSpreadsheet([['Name'], ['Acme'], ['Übel 漢 😀']])), {
    accountId: 1,
    signal,
  })
  expect(reader.survey.rows).toBe(2)
  let names = ''
  for await (const { batch } of reader.batches()) names += batch.kind === 'customers' ? batch.columns.name : ''
  expect(names).toBe('{"Acme","Übel 漢 😀"}')
})

test('a reader that is still open keeps nobody from the next workbook', async () => {
  const upload = await task(aSpreadsheet([['Name'], ['Acme']]))
  await using first = await openReader(upload, { accountId: 1, signal })
  await using second = await openReader(upload, { accountId: 2, signal })
  expect([first.survey.rows, second.survey.rows]).toEqual([1, 1])
})

test('whoever goes away while a workbook is read frees the place of the next', async () => {
  const upload = await task(aSpreadsheet([['Name'], ['Acme']]))
  const gone = new AbortController()
  const first = openReader(upload, { accountId: 1, signal: gone.signal })
  const second = openReader(upload, { accountId: 2, signal })
  gone.abort()
  await expect(first).rejects.toMatchObject({ key: 'IMPORT_BUSY' })
  await using last = await second
  expect(last.survey.rows).toBe(1)
})
