import { expect, test } from 'vitest'
import { toDay } from '#shared/domain/day.ts'
import { BulkUpload } from '#shared/schemas/imports.ts'
import { all } from '#support/pdf.ts'
import type { RowsWanted } from './batches.ts'
import { isSmall, openReader } from './reader.ts'
import { saveUpload } from './upload-file.ts'

const ROW = 'Nobody,nothing,2026-13-01,never,2026-13-01,dead'

async function stored(rows: string[], head = 'Customer,Amount,Start Date,Renewal Cycle,Renewal Date,Status') {
  const content = Buffer.from(`${head}\n${rows.join('\n')}`)
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

function renewingOn(day: string): RowsWanted {
  return { renewing: { on: new Set([toDay(day)]), today: toDay('2027-01-01') } }
}

test.each([10, 20_010])(
  'of %i rows, only those are kept that renew on the days that are asked for, and all come again',
  async (count) => {
    const row = (at: number) => `Acme ${at},5,2026-01-01,yearly,2027-0${1 + (at % 5)}-01,active`
    await using file = await stored([...Array.from({ length: count }, (_, at) => row(at)), ROW])
    await using reader = await openReader({ kind: 'contracts', answers: BulkUpload.parse({}), stored: file.stored })
    const read = async (wanted?: RowsWanted) => {
      const batches = await all(reader.batches(wanted))
      return batches.map((batch) => ({
        days: batch.kind === 'contracts' ? new Set(batch.columns.renewalDate) : new Set(),
        rows: batch.sources.lines.length,
        failed: batch.failed.lines.length,
      }))
    }
    const sum = (numbers: number[]) => numbers.reduce((total, one) => total + one, 0)
    const some = await read(renewingOn('2027-02-01'))
    expect(some.map(({ days }) => [...days])).toEqual(some.map(() => ['2027-02-01']))
    expect([sum(some.map(({ rows }) => rows)), sum(some.map(({ failed }) => failed))]).toEqual([count / 5, 0])
    expect(await read(renewingOn('2030-01-01'))).toEqual([])
    const every = await read()
    expect([sum(every.map(({ rows }) => rows)), sum(every.map(({ failed }) => failed))]).toEqual([count, 1])
  },
)

test('a contract that is about to be renewed is found by the renewal date that it then has', async () => {
  const row = (renews: string) => `Acme,5,2026-01-31,monthly,2026-11-30,active,${renews}`
  await using file = await stored(
    ['automatic', 'by_agreement', 'never'].map(row),
    'Customer,Amount,Start Date,Renewal Cycle,Renewal Date,Status,Renews',
  )
  await using reader = await openReader({ kind: 'contracts', answers: BulkUpload.parse({}), stored: file.stored })
  const batches = await all(reader.batches(renewingOn('2027-01-31')))
  expect(batches).toMatchObject([{ count: 1, columns: { renews: ['automatic'], renewalDate: ['2026-11-30'] } }])
})

test('rows that may change a contract are kept whenever they renew', async () => {
  const rows = ['Acme,5,2026-01-01,yearly,2027-01-01,active,R-1', 'Acme,5,2026-01-01,yearly,2027-01-01,active,']
  await using file = await stored(rows, 'Customer,Amount,Start Date,Renewal Cycle,Renewal Date,Status,Reference')
  const answers = BulkUpload.parse({ existing: 'update' })
  await using reader = await openReader({ kind: 'contracts', answers, stored: file.stored })
  const [batch, ...others] = await all(reader.batches(renewingOn('2030-01-01')))
  expect(others).toEqual([])
  expect(batch).toMatchObject({ count: 1, changes: { rows: [{ reference: 'R-1' }] } })
})
