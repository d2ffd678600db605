import { checkSequences } from '#support/sequences/check-sequences.ts'
import { openOwnDatabase } from './own-database.ts'

/**
 * `npm run bench -- sequences [count] [seed]`: thousands of random sequences of renewals, ends, edits, imports, deletions,
 * undoing and passing days. Fails with the first one after which contracts, terms, messages, sums and activity do not agree.
 */
const [count = 2000, seed = Date.now() % 1_000_000] = process.argv.slice(2).map(Number)
await using stack = new AsyncDisposableStack()
const { connection, stop } = await openOwnDatabase({ fsync: 'off', synchronous_commit: 'off' })
stack.defer(stop)
console.log(`${count} sequences, seed ${seed}`)
const begun = performance.now()
const steps = await checkSequences({ connection, seed, count })
console.log(`${steps} steps, 0 faults in ${Math.round((performance.now() - begun) / 1000)} s`)
