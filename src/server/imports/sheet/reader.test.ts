import { expect, test } from 'vitest'
import { BulkUpload } from '#shared/schemas/imports.ts'
import { isSmall, openReader } from './reader.ts'
import { saveUpload } from './upload-file.ts'

const ROW = 'Nobody,nothing,2026-13-01,never,2026-13-01,dead'

async function stored(rows: string[]) {
  const content = Buffer.from(`Customer,Amount,Start Date,Renewal Cycle,Renewal Date,Status\n${rows.join('\n')}`)
  async function* bytes() {
    yield content
  }
  return saveUpload(bytes(), { content: 'upload', mostBytes: content.length })
}

test('many short rows are not read beside the other work, however small their file is', async () => {
  await using few = await stored(Array.from({ length: 10_000 }, () => 'a'))
  await using many = await stored(Array.from({ length: 100_000 }, () => 'a'))
  expect([isSmall(few.stored), isSmall(many.stored)]).toEqual([true, false])
})

test('of rows that fail, however many, each batch is a few pieces of text, and all together list a thousand errors', async () => {
  await using many = await stored(Array.from({ length: 25_000 }, () => ROW))
  const task = { kind: 'contracts' as const, answers: BulkUpload.parse({}), stored: many.stored }
  await using reader = await openReader(task)
  let [failed, found, listed] = [0, 0, 0]
  for await (const batch of reader.batches()) {
    const { lines, cells, problems, distinctProblems } = batch.failed
    expect([lines, cells, problems].join('').length).toBeLessThan(60_000)
    // What is wrong with all of them is stored once.
    expect(JSON.parse(distinctProblems)).toHaveLength(1)
    failed += batch.failed.lines.length
    found += batch.failed.found
    listed += batch.failed.listed.length
  }
  expect({ failed, found, listed }).toEqual({ failed: 25_000, found: 125_000, listed: 1000 })
})
