import { parseArgs } from 'node:util'
import pg from 'pg'
import { fuzzCalls } from '#support/fuzz/fuzz-calls.ts'
import { fuzzFiles, type FuzzOptions, type FuzzReport } from '#support/fuzz/fuzz-files.ts'
import { addAccounts, addKey } from './data.ts'
import { routesOf, senderTo } from './fuzz-server.ts'
import { openOwnDatabase } from './own-database.ts'
import { ISSUER, startOurs } from './servers.ts'
import { openSessionTokens } from './session-tokens.ts'

/**
 * `npm run fuzz [-- files calls] [--runs 10000] [--seed n]`: hostile input for a server as it is shipped, all parts or
 * those that are named. Prints the seed, what was answered, and what failed, made as small as it goes; fails where the
 * server did, answered with a fault, or grew.
 */
const MOST_GROWTH_MB = 150

const { values, positionals } = parseArgs({
  options: { runs: { type: 'string', default: '10000' }, seed: { type: 'string' } },
  allowPositionals: true,
})
const seed = Number(values.seed ?? Date.now() % 1_000_000_000)
await using stack = new AsyncDisposableStack()
const { connection, stop } = await openOwnDatabase({ fsync: 'off', synchronous_commit: 'off' })
stack.defer(stop)
const sessions = openSessionTokens(ISSUER)
const server = await startOurs(connection, { CLERK_JWT_KEY: sessions.publicKey })
stack.defer(() => server.stop())
const origin = `http://127.0.0.1:${server.port}`
const key = await newKey()
const memory = () => server.memory()

const PARTS: Record<string, (options: FuzzOptions) => Promise<Omit<FuzzReport, 'files'>>> = {
  files: (options) => fuzzFiles({ origin, key, memory }, options),
  calls: async (options) => {
    const tokenOf = (person: number) => sessions.tokenOf(`user_${person}`, origin)
    const tokens = { session: tokenOf(1), other: tokenOf(2), leaving: tokenOf(3), key }
    return fuzzCalls({ routes: await routesOf(connection), tokens, send: senderTo(server.port), memory }, options)
  },
}

for (const name of positionals.length > 0 ? positionals : Object.keys(PARTS)) {
  const part = PARTS[name]
  if (!part) throw new Error(`There is no part ${name}: ${Object.keys(PARTS).join(', ')}`)
  console.log(`${name}, seed ${seed}`)
  const { answers, faults, memory, ...report } = await part({
    seed,
    runs: Number(values.runs),
    tell: console.log,
  })
  const grownBy = Math.round(memory.after - memory.before)
  console.log({ ...report, ...answers, before: Math.round(memory.before), grownBy })
  for (const fault of faults) console.log(fault)
  if (faults.length > 0 || grownBy > MOST_GROWTH_MB) process.exitCode = 1
}

async function newKey(): Promise<string> {
  const client = new pg.Client(connection)
  await client.connect()
  try {
    const [accountId = 0] = await addAccounts(client, 3)
    return await addKey(client, accountId)
  } finally {
    await client.end()
  }
}
