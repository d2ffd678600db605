import type { SeedReport } from '#support/simulation/many-seeds.ts'
import { BREAKS, breakProduct } from '#support/simulation/breaks.ts'
import { simulate } from '#support/simulation/simulate.ts'
import { openOwnDatabase } from './own-database.ts'

/**
 * `npm run bench -- simulation [seed] [contracts] [days]`: two years of days over 500 contracts with edits and outages, and
 * says what it did. Fails where a message was lost, repeated without the ledger saying so, or sent to whom it must not be.
 * Many seeds: `npm run simulate`. With the name of a break as the fourth argument the product is broken in that way.
 */
const [, , , broken] = process.argv.slice(2)
const fault = BREAKS.find(({ name }) => name === broken)
const unusedChanges = fault && breakProduct(fault)
const [seed = Date.now() % 100_000, contracts = 500, days = 730] = process.argv.slice(2, 5).map(Number)
await using stack = new AsyncDisposableStack()
const { connection, stop } = await openOwnDatabase({ fsync: 'off', synchronous_commit: 'off' })
stack.defer(stop)
console.log(`seed ${seed}: ${contracts} contracts, ${days} days`)
const begun = performance.now()
const { faults, ...report } = await simulate({
  connection,
  seed,
  contracts,
  days,
  tell: console.log,
  untilFault: fault !== undefined,
})
console.log({ ...report, seconds: Math.round((performance.now() - begun) / 1000) })
for (const text of faults.slice(0, 20)) console.log(text)
const unused = unusedChanges?.().map(String)
for (const change of unused ?? []) console.log(`no statement matched ${change}`)
console.log(`${faults.length} faults`)
const ended: SeedReport = { messages: report.messages, received: report.received, faults, ...(unused && { unused }) }
process.send?.(ended)
process.exitCode = faults.length > 0 ? 1 : 0
