import { fc } from '@fast-check/vitest'
import { expect, test } from 'vitest'
import { AppError } from '#shared/errors.ts'
import { previewArchive } from '#server/archives/archive.service.ts'
import type { OpenArchive } from '#server/archives/archive-reader.ts'
import { ARCHIVE_TABLES } from '#server/archives/archive-tables.ts'
import { readArchive } from '#server/archives/read-archive.ts'
import { ReadBatch, ReadSummary } from '#server/archives/reader-output.ts'
import { useApp } from '#support/app.ts'
import { archiveOf, changedArchive, fileOf, fillAccount, rowsIn } from '#support/archives.ts'
import { all } from '#support/pdf.ts'
import { memoryFiles } from '#support/services.ts'
import { anAccount, useWorld } from '#support/world.ts'

const world = useWorld()
const files = memoryFiles()
const server = useApp(world, { files })

const VALUES: readonly unknown[] = [
  null,
  true,
  '',
  'x',
  '\u202E\0',
  'x'.repeat(600),
  '𝕏'.repeat(150),
  "';--",
  '2999-12-31',
  '1900-01-01',
  '2999-12-31T23:59:59.999Z',
  -1,
  0,
  1,
  1.5,
  2_147_483_647,
  2_147_483_648,
  9_999_999_999.99,
  [],
  ['x'],
  [[1]],
  {},
  { customer_id: 999_999_999_999 },
  { customerId: -5 },
]

/** An archive that is read in this process. */
async function openedHere(archive: Buffer): Promise<OpenArchive> {
  const readAt = (position: number, length: number) => archive.subarray(position, position + length)
  const lines = await all(readArchive(archive.length, readAt))
  const summary = ReadSummary.parse(JSON.parse(lines.pop() ?? ''))
  const batches = lines.map((line) => ReadBatch.parse(JSON.parse(line)))
  return {
    summary,
    async *batches(table) {
      yield* batches.filter(([name]) => table === undefined || name === table)
    },
    contentOf: () => expect.unreachable('a preview stores no files'),
    [Symbol.asyncDispose]: async () => {},
  }
}

const change = fc.record({
  table: fc.constantFrom(...ARCHIVE_TABLES),
  row: fc.nat(),
  property: fc.nat(),
  value: fc.oneof(fc.constantFrom(...VALUES), fc.jsonValue({ maxDepth: 2 })),
})

interface Change {
  table: string
  row: number
  property: number
  value: unknown
}

/** The archive with one other value, wherever that is. */
function withValue(archive: Buffer, { table, row, property, value }: Change): Buffer {
  const rows = rowsIn(archive, table)
  const changed = rows.map((one, index) => {
    const names = Object.keys(one)
    return index === row % rows.length ? { ...one, [names[property % names.length] ?? '']: value } : one
  })
  return changedArchive(archive, { [`${table}.json`]: fileOf(changed) })
}

async function aFullArchive(): Promise<Buffer> {
  const full = await anAccount(world, { services: { files } })
  await fillAccount(full)
  return archiveOf(server, full)
}

test('whatever one value of an archive is, it is imported or refused, and never a fault', async () => {
  const archive = await aFullArchive()
  const fresh = await anAccount(world)
  const answers: Record<string, number> = {}
  const property = fc.asyncProperty(change, async (changed) => {
    const answer = await openedHere(withValue(archive, changed))
      .then((opened) => previewArchive(fresh, opened, false))
      .then(() => 'imported', keyOf)
    answers[answer] = (answers[answer] ?? 0) + 1
  })
  await fc.assert(property, { numRuns: 80 })
  expect(answers['imported']).toBeGreaterThan(5)
  expect(answers['ARCHIVE_ROW_INVALID']).toBeGreaterThan(5)
})

function keyOf(error: unknown): string {
  if (error instanceof AppError) return error.key
  throw error
}
