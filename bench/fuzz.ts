import { parseArgs } from 'node:util'
import pg from 'pg'
import { dayIn } from '#shared/domain/day.ts'
import { LIMIT_VARIABLES } from '#server/limits/variables.ts'
import { routesOf, senderTo } from '#support/fuzz/call-server.ts'
import { fuzzCalls } from '#support/fuzz/fuzz-calls.ts'
import { fuzzFiles, type FuzzOptions, type FuzzReport } from '#support/fuzz/fuzz-files.ts'
import { addRecords } from '#support/fuzz/fuzz-records.ts'
import { loggedFaults } from '#support/fuzz/logged-faults.ts'
import { addAccounts, addKey } from './data.ts'
import { startMailServer } from '#support/mail-server.ts'
import { openOwnDatabase } from './own-database.ts'
import { HEAP_ON_SIGNAL, ISSUER, startOurs } from './servers.ts'
import { openSessionTokens } from './session-tokens.ts'

/**
 * `npm run fuzz [-- files calls] [--runs 10000] [--seed n]`: hostile input for a server as it is shipped, all parts or
 * those that are named. Prints the seed, what was answered, and what failed, made as small as it goes; fails where the
 * server did, answered with a fault, or grew.
 */
// After garbage collection, once caches and compiled code are warm.
const MOST_GROWTH_MB = 30
// Of resident memory, which garbage fills: scrypt leaves 16 MB to each of four threads.
const MOST_RESIDENT_GROWTH_MB = 250
/** To each route and each procedure. */
const FEWEST_CALLS = 300

const { values, positionals } = parseArgs({
  options: { runs: { type: 'string', default: '10000' }, seed: { type: 'string' } },
  allowPositionals: true,
})
const seed = Number(values.seed ?? Date.now() % 1_000_000_000)
await using stack = new AsyncDisposableStack()
const { connection, stop } = await openOwnDatabase({ fsync: 'off', synchronous_commit: 'off' })
stack.defer(stop)
const sessions = openSessionTokens(ISSUER)
const unlimited = Object.fromEntries(Object.keys(LIMIT_VARIABLES).map((name) => [name, '1000000000']))
const mail = await startMailServer({ milliseconds: () => 0, treat: () => 'take' })
stack.defer(() => mail.stop())
const webhooks = { stripe: 'whsec_fuzzed', mail: 'key-fuzzed', now: () => new Date() }
const server = await startOurs(connection, {
  CLERK_JWT_KEY: sessions.publicKey,
  STRIPE_WEBHOOK_SECRET: webhooks.stripe,
  MAILGUN_WEBHOOK_KEY: webhooks.mail,
  SMTP_URL: mail.url,
  ...unlimited,
  ...HEAP_ON_SIGNAL,
})
stack.defer(() => server.stop())
const origin = `http://127.0.0.1:${server.port}`
const owner = new pg.Client(connection)
await owner.connect()
stack.defer(() => owner.end())
const [accountId = 0] = await addAccounts(owner, 3)
const key = await addKey(owner, accountId)
const memory = async () => (await server.heap()).kept

const PARTS: Record<string, (options: FuzzOptions) => Promise<Omit<FuzzReport, 'files'>>> = {
  files: (options) => fuzzFiles({ origin, key, memory }, options),
  calls: async (options) => {
    const tokenOf = (person: number) => sessions.tokenOf(`user_${person}`, origin)
    const tokens = { session: tokenOf(1), other: tokenOf(2), leaving: tokenOf(3), key }
    const records = () => addRecords(owner, accountId, dayIn(new Date(), 'UTC'))
    const routes = await routesOf(connection)
    const target = { routes, tokens, webhooks, send: senderTo(server.port), records, memory }
    const each = Math.min(FEWEST_CALLS, options.runs)
    const { unreached, best: _best, ...report } = await fuzzCalls(target, { ...options, each })
    report.faults.push(...unreached)
    return report
  },
}

for (const name of positionals.length > 0 ? positionals : Object.keys(PARTS)) {
  const part = PARTS[name]
  if (!part) throw new Error(`There is no part ${name}: ${Object.keys(PARTS).join(', ')}`)
  console.log(`${name}, seed ${seed}`)
  const residentBefore = server.memory()
  const { answers, faults, memory, ...report } = await part({
    seed,
    runs: Number(values.runs),
    tell: console.log,
  })
  const grownBy = Math.round(memory.after - memory.before)
  const residentGrownBy = Math.round(server.memory() - residentBefore)
  console.log({ ...report, ...answers, heapBefore: Math.round(memory.before), heapGrownBy: grownBy, residentGrownBy })
  faults.push(...loggedFaults(server.output()))
  for (const fault of faults) console.log(fault)
  if (faults.length > 0 || grownBy > MOST_GROWTH_MB || residentGrownBy > MOST_RESIDENT_GROWTH_MB) process.exitCode = 1
}
