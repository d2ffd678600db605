import { expect, test } from 'vitest'
import { BulkUpload } from '#shared/schemas/imports.ts'
import { isSmall, openReader } from './sheet-reader.ts'
import { spool, storedSheet } from './spool.ts'

const ROW = 'Nobody,nothing,2026-13-01,never,2026-13-01,dead'

async function stored(rows: string[]) {
  const content = Buffer.from(`Customer,Amount,Start Date,Renewal Cycle,Renewal Date,Status\n${rows.join('\n')}`)
  async function* bytes() {
    yield content
  }
  const upload = await spool(bytes(), content.length)
  return { upload: storedSheet('upload', upload), [Symbol.asyncDispose]: () => upload.file.close() }
}

test('many short rows are not read beside the other work, however small their file is', async () => {
  await using few = await stored(Array.from({ length: 10_000 }, () => 'a'))
  await using many = await stored(Array.from({ length: 100_000 }, () => 'a'))
  expect([isSmall(few.upload), isSmall(many.upload)]).toEqual([true, false])
})

test('of rows that fail, however many, each batch is a few pieces of text, and all together list a thousand errors', async () => {
  await using many = await stored(Array.from({ length: 25_000 }, () => ROW))
  const task = { kind: 'contracts' as const, answers: BulkUpload.parse({}), upload: many.upload }
  await using reader = await openReader(task, { accountId: 1, signal: new AbortController().signal })
  let [failed, found, listed] = [0, 0, 0]
  for await (const { batch } of reader.batches()) {
    const { lines, cells, places, ways } = batch.failed
    expect([lines, cells, places].join('').length).toBeLessThan(60_000)
    // What is wrong with them all alike is told once.
    expect(JSON.parse(ways)).toHaveLength(1)
    failed += batch.failed.count
    found += batch.failed.found
    listed += batch.failed.listed.length
  }
  expect({ failed, found, listed }).toEqual({ failed: 25_000, found: 125_000, listed: 1000 })
})
