import { checkAnnounced } from '#support/announced/check-announced.ts'
import { openOwnDatabase } from './own-database.ts'

/**
 * `npm run bench -- announced [rounds] [seed] [accounts]`: in so many rounds, each with a seed of its own, whether the emails
 * that are announced before something is saved are those that then come. Goes on after a difference, and fails at the end.
 */
const [rounds = 20, seed = Date.now() % 1_000_000, count = 30] = process.argv.slice(2).map(Number)
await using stack = new AsyncDisposableStack()
const { connection, stop } = await openOwnDatabase({ fsync: 'off', synchronous_commit: 'off' })
stack.defer(stop)
for (let round = 0; round < rounds; round += 1) {
  const begun = performance.now()
  try {
    const checked = await checkAnnounced({ connection, seed: seed + round, count })
    const kinds = [...checked].map(([kind, { done, announcing }]) => `${kind} ${announcing} of ${done}`).join(', ')
    console.log(`Seed ${seed + round}: ${kinds}; ${Math.round((performance.now() - begun) / 1000)} s`)
  } catch (error) {
    console.error(error instanceof Error ? error.message : error)
    process.exitCode = 1
  }
}
