import { randomInt } from 'node:crypto'
import { expect, test } from 'vitest'
import { workerConnection } from '#support/database.ts'
import { checkSequences } from '#support/sequences/check-sequences.ts'

const SEQUENCES = 8

// Thousands are `npm run bench -- sequences`.
test('after any sequence of renewals, ends, edits, undoing and days, a contract agrees with its terms and messages', async () => {
  const seed = randomInt(1_000_000)
  console.log(`Sequences of acts with a new seed, repeated by: npm run bench -- sequences ${SEQUENCES} ${seed}`)
  const steps = await checkSequences({ connection: await workerConnection(), seed, count: SEQUENCES })
  expect(steps).toBeGreaterThan(SEQUENCES)
}, 900_000)
