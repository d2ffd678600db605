import { randomBytes, randomUUID } from 'node:crypto'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { LIMIT_VARIABLES } from '#server/limits/variables.ts'
import { routesOf, senderTo } from '#support/fuzz/call-server.ts'
import { fuzzCalls, type Callers } from '#support/fuzz/fuzz-calls.ts'
import { fuzzSchemas } from '#support/fuzz/fuzz-schemas.ts'
import { fuzzFiles, type FuzzOptions, type FuzzReport } from '#support/fuzz/fuzz-files.ts'
import { addRecords } from '#support/fuzz/fuzz-records.ts'
import { loggedFaults } from '#support/fuzz/logged-faults.ts'
import { addAccounts, addKey } from './data.ts'
import { startMailServer } from '#support/mail-server.ts'
import { openOwnDatabase } from './own-database.ts'
import { HEAP_ON_SIGNAL, ISSUER, startOurs, type Heap } from './servers.ts'
import { openSessionTokens } from './session-tokens.ts'

/**
 * `npm run fuzz [-- files calls] [--runs 10000] [--seed n]`: hostile input for a server as it is shipped, and for the
 * schema of each call, all parts or those that are named, each in two halves. Prints the seed, what was answered, and what
 * failed, made as small as it goes; fails where the server did, answered with a fault, or grew in the second half.
 */
// After garbage collection, beyond the first half, which fills caches and leaves 16 MB to each thread that runs scrypt.
const MOST_GROWTH_MB = 10
const MOST_RESIDENT_GROWTH_MB = 50
/** To each route and each procedure. */
const FEWEST_CALLS = 300
const HALVES = [0, 1]
/** Three for the files of each half, for the schemas of its calls, for each of their transports, and for the operator's calls. */
const ACCOUNTS = 30
const OPERATOR = randomBytes(24).toString('base64url')

const { values, positionals } = parseArgs({
  options: { runs: { type: 'string', default: '10000' }, seed: { type: 'string' } },
  allowPositionals: true,
})
const runs = Math.ceil(Number(values.runs) / HALVES.length)
const each = Math.min(FEWEST_CALLS / HALVES.length, runs)
const firstSeed = Number(values.seed ?? Date.now() % 1_000_000_000)
await using stack = new AsyncDisposableStack()
const { connection, stop } = await openOwnDatabase({ fsync: 'off', synchronous_commit: 'off' })
stack.defer(stop)
const sessions = openSessionTokens(ISSUER)
const unlimited = {
  ...Object.fromEntries(Object.keys(LIMIT_VARIABLES).map((name) => [name, '1000000000'])),
  MAIL_LIMIT_PAID: '1000000',
  MAIL_LIMIT_TRIAL: '1000000',
  MAIL_LIMIT_PER_ADDRESS: '1000000',
}
const mail = await startMailServer({ milliseconds: () => 0, treat: () => 'take' })
stack.defer(() => mail.stop())
const webhooks = { stripe: 'whsec_fuzzed', mail: 'key-fuzzed', now: () => new Date() }
const server = await startOurs(connection, {
  CLERK_JWT_KEY: sessions.publicKey,
  STRIPE_WEBHOOK_SECRET: webhooks.stripe,
  MAILGUN_WEBHOOK_KEY: webhooks.mail,
  SMTP_URL: mail.url,
  OPERATOR_TOKEN: OPERATOR,
  ...unlimited,
  ...HEAP_ON_SIGNAL,
})
stack.defer(() => server.stop())
const origin = `http://127.0.0.1:${server.port}`
const owner = new pg.Client(connection)
await owner.connect()
stack.defer(() => owner.end())
const [firstId = 0] = await addAccounts(owner, ACCOUNTS)
let entered = 0
const memory = async () => (await server.heap()).kept

const PARTS: Record<string, (options: FuzzOptions) => Promise<Omit<FuzzReport, 'files'>>> = {
  files: async (options) => fuzzFiles({ origin, key: (await enter()).tokens.key, emptyKey, memory }, options),
  calls: async (options) => {
    const routes = await routesOf(connection)
    const target = { routes, enter, webhooks, send: senderTo(server.port), memory }
    const records = await (await enter()).records()
    const { inputs: parsed, schemas, faults } = fuzzSchemas(routes, { ...options, records })
    console.log({ schemas, parsed })
    const { unreached, best: _best, ...report } = await fuzzCalls(target, { ...options, each })
    report.faults.push(...faults, ...unreached)
    return report
  },
}

for (const name of positionals.length > 0 ? positionals : Object.keys(PARTS)) {
  const left: Heap[] = []
  for (const half of HALVES) left.push(await fuzz(name, firstSeed + half))
  const [before, after] = left
  if (before && after) refuseGrowth(before, after)
}
for (const fault of loggedFaults(server.output())) fail(fault)

/** What the server keeps afterward. */
async function fuzz(name: string, seed: number): Promise<Heap> {
  const part = PARTS[name]
  if (!part) throw new Error(`There is no part ${name}: ${Object.keys(PARTS).join(', ')}`)
  console.log(`${name}, seed ${seed}`)
  const { answers, faults, memory: _memory, ...report } = await part({ seed, runs, tell: console.log })
  const { kept, resident } = await server.heap()
  console.log({ ...report, ...answers, keptMegabytes: Math.round(kept), residentMegabytes: Math.round(resident) })
  faults.forEach(fail)
  return { kept, resident }
}

function refuseGrowth(before: Heap, after: Heap): void {
  const [kept, resident] = [Math.round(after.kept - before.kept), Math.round(after.resident - before.resident)]
  console.log(`grown in the second half: ${kept} MB kept, ${resident} MB resident`)
  if (kept > MOST_GROWTH_MB || resident > MOST_RESIDENT_GROWTH_MB) fail('The server has grown')
}

function fail(fault: string): void {
  console.log(fault)
  process.exitCode = 1
}

/** Three accounts that nobody has called yet. */
async function enter(): Promise<Callers> {
  const person = entered + 1
  entered += 3
  const accountId = firstId + person - 1
  const tokenOf = (nth: number) => sessions.tokenOf(`user_${nth}`, origin)
  // The operator of the half before may have suspended them.
  await owner.query('update accounts set suspended_at = null, suspension_reason = null')
  const key = await addKey(owner, accountId)
  const tokens = {
    session: tokenOf(person),
    other: tokenOf(person + 1),
    leaving: tokenOf(person + 2),
    key,
    operator: OPERATOR,
  }
  return { tokens, records: () => addRecords(owner, accountId, new Date()) }
}

async function emptyKey(): Promise<string> {
  const { rows } = await owner.query<{ id: number }>(
    `with added as (
      insert into accounts (clerk_user_id, email, time_zone) values ($1, $1 || '@example.com', 'UTC') returning id)
    insert into subscriptions (account_id, stripe_subscription_id, status, synced_at)
    select id, 'sub_' || id, 'active', now() from added returning account_id as id`,
    [`empty_${randomUUID()}`],
  )
  return addKey(owner, rows[0]?.id ?? 0)
}
