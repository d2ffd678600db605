import { randomInt } from 'node:crypto'
import { expect, test } from 'vitest'
import { checkAnnounced } from '#support/announced/check-announced.ts'
import { workerConnection } from '#support/database.ts'

const ACCOUNTS = 3

// What is left out is said in check-announced.ts. Thousands of acts are `npm run bench -- announced`.
test('what is announced before contracts are added, changed, reopened, imported or tagged is what then comes', async () => {
  const seed = randomInt(1_000_000)
  console.log(`Acts with a new seed, repeated by: npm run bench -- announced 1 ${seed} ${ACCOUNTS}`)
  const checked = await checkAnnounced({ connection: await workerConnection(), seed, count: ACCOUNTS })
  expect(checked.size).toBeGreaterThan(0)
}, 900_000)
