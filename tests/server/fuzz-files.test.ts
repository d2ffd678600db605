import { randomInt } from 'node:crypto'
import { env } from 'node:process'
import { expect, test } from 'vitest'
import { fuzzFiles } from '#support/fuzz/fuzz-files.ts'
import { loggedFaults } from '#support/fuzz/logged-faults.ts'
import { useServerProcess } from '#support/server-process.ts'
import { anAccount, anApiKey, useWorld } from '#support/world.ts'

const world = useWorld()
const MOST_GROWTH_MB = 150
const UNLIMITED = Object.fromEntries(
  ['LIMIT_ACCOUNT', 'LIMIT_ADDRESS', 'LIMIT_IMPORTS'].map((name) => [name, '1000000']),
)
const server = useServerProcess(world, UNLIMITED)
const seed = Number(env['FUZZ_SEED'] ?? randomInt(1_000_000_000))

test('no file, however wrong, harms the server', async () => {
  console.info(`Fuzzing files with seed ${seed}, which FUZZ_SEED=${seed} repeats; npm run fuzz -- files tries more`)
  const emptyKey = async () => anApiKey(await anAccount(world))
  const { origin, memory, app } = server
  const report = await fuzzFiles({ origin, key: await emptyKey(), emptyKey, memory }, { seed, runs: 300 })
  expect(report.faults).toEqual([])
  expect(app.child.exitCode).toBeNull()
  expect(loggedFaults(app.output())).toEqual([])
  expect(report.memory.after - report.memory.before).toBeLessThan(MOST_GROWTH_MB)
  // Files of every kind came through as well: what fuzzing never gets past its first check proves little.
  const forms = ['form of an import 200', 'form of a pdf 201', 'form of a logo 201']
  const archives = ['archive read', 'archive ARCHIVE_ROW_INVALID', 'archive.zip 200']
  const certificates = ['certificate genuine', 'certificate changed', 'certificate unknown']
  const others = ['customers.csv 200', 'workbook read', 'pdf 201', 'logo 201']
  for (const answer of [...others, ...forms, ...archives, ...certificates]) {
    expect(report.answers[answer] ?? 0).toBeGreaterThan(0)
  }
}, 600_000)
