import { killWorkers } from '#support/kill-worker.ts'
import { openOwnDatabase } from './own-database.ts'
import { urlOf } from './servers.ts'

/**
 * `npm run bench -- kill-worker [kills] [seed]`: `kill -9` of the worker at random moments, a hundred times, against a real
 * SMTP server that sometimes dies on the last byte. Prints what became of the messages, and fails where one was lost, or
 * repeated without the ledger saying so.
 */
const kills = Number(process.argv[2] ?? 100)
const seed = Number(process.argv[3] ?? Date.now() % 100_000)
await using stack = new AsyncDisposableStack()
const { connection, stop } = await openOwnDatabase({ max_connections: '120' })
stack.defer(stop)
console.log(`${kills} kills, seed ${seed}`)
const report = await killWorkers({ connection, url: urlOf(connection), kills, seed, tell: console.log })
console.log(report)
process.exitCode = report.faults.length > 0 ? 1 : 0
