import { Readable } from 'node:stream'
import { expect, onTestFinished, test } from 'vitest'
import { BulkUpload } from '#shared/schemas/imports.ts'
import { aSpreadsheet } from '#support/spreadsheet.ts'
import { openUpload } from './import-file.ts'
import { saveUpload } from './sheet/upload-file.ts'

const { signal } = new AbortController()

async function task(content: Buffer) {
  const upload = await saveUpload(Readable.from([content]), { content: 'upload', mostBytes: content.length })
  onTestFinished(() => upload[Symbol.asyncDispose]())
  return { kind: 'customers' as const, answers: BulkUpload.parse({}), stored: upload.stored }
}

test('a workbook comes as its rows, in batches, from a process of its own', async () => {
  await using reader = await openUpload(await task(aSpreadsheet([['Name'], ['Acme'], ['Übel 漢 😀']])), {
    accountId: 1,
    signal,
  })
  expect(reader.inspection.rows).toBe(2)
  let names = ''
  for await (const batch of reader.batches()) names += batch.kind === 'customers' ? batch.columns.name.join() : ''
  expect(names).toBe('Acme,Übel 漢 😀')
})

test('a reader that is still open keeps nobody from the next workbook', async () => {
  const upload = await task(aSpreadsheet([['Name'], ['Acme']]))
  await using first = await openUpload(upload, { accountId: 1, signal })
  await using second = await openUpload(upload, { accountId: 2, signal })
  expect([first.inspection.rows, second.inspection.rows]).toEqual([1, 1])
})

test('whoever goes away while a workbook is read frees the place of the next', async () => {
  const upload = await task(aSpreadsheet([['Name'], ['Acme']]))
  const gone = new AbortController()
  const first = openUpload(upload, { accountId: 1, signal: gone.signal })
  const second = openUpload(upload, { accountId: 2, signal })
  gone.abort()
  await expect(first).rejects.toMatchObject({ key: 'IMPORT_BUSY' })
  await using last = await second
  expect(last.inspection.rows).toBe(1)
})
