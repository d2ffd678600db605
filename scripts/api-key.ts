import pg, { type Pool } from 'pg'
import { isBehind } from '#server/db/migrate.ts'
import { openDatabase } from '#server/db/database.ts'
import { readEnv } from '#server/env.ts'
import { createApiKey } from '#server/identity/api-keys.service.ts'
import { openCluster } from '#server/server.ts'
import { StartError } from '#server/start-error.ts'

/** `npm run --silent api-key -- <email>` prints a new API key of that account, and nothing else. */
try {
  const key = await newKeyOf(process.argv[2])
  process.stdout.write(`${key}\n`)
} catch (error) {
  process.stderr.write(`No API key was made: ${reasonOf(error)}\n`)
  process.exitCode = 1
}

async function newKeyOf(email: string | undefined): Promise<string> {
  if (!email) throw new StartError('name the account, as in: npm run --silent api-key -- ann@example.com')
  await using stack = new AsyncDisposableStack()
  const { embedded, connection } = await openCluster(readEnv())
  stack.defer(async () => embedded?.stop())
  await refuseUnprepared(connection)
  const db = await openDatabase(connection)
  stack.defer(() => db.close())
  const accountId = await accountOf(db.system, email)
  // Awaited here: the database is closed on the way out.
  return await db.writeAs(accountId, (em) =>
    createApiKey({ em, accountId, viaApiKey: false }, { name: 'Command line' }),
  )
}

async function refuseUnprepared(connection: pg.PoolConfig): Promise<void> {
  const client = new pg.Client(connection)
  await client.connect()
  try {
    if (await isBehind(client)) throw new StartError('the database is not up to date. Start TRAXX once, then try again')
  } finally {
    await client.end()
  }
}

async function accountOf(system: Pool, email: string): Promise<number> {
  const { rows } = await system.query<{ id: number }>('select id from accounts where lower(email) = lower($1)', [
    email.trim(),
  ])
  if (rows.length > 1) throw new StartError(`${rows.length} accounts have the e-mail ${email}`)
  if (!rows[0]) throw new StartError(`no account has the e-mail ${email}`)
  return rows[0].id
}

// A connection that is refused on several addresses has a code for all of them, but no message.
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const text = error.message || ('code' in error ? String(error.code) : error.name)
  return text.replaceAll(/\s*\n\s*/g, ' ')
}
