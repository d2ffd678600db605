import pg from 'pg'
import sql from 'sql-template-tag'
import { z } from 'zod'
import { chooseDatabase } from '#server/boot/choose-database.ts'
import { findLocalEnvironment } from '#server/boot/find-local-environment.ts'
import { openServices } from '#server/boot/open-services.ts'
import type { Services } from '#server/context.ts'
import type { Database } from '#server/db/database.ts'
import { openDatabase } from '#server/boot/open-database.ts'
import { isBehind } from '#server/db/migrating/migrate.ts'
import type { System } from '#server/db/connections/system.ts'
import { readEnv } from '#server/env.ts'
import { StartError } from '#server/start-error.ts'
import { readRows } from '#server/db/rows.ts'

interface Found extends Account {
  db: Database
  /** Opens the outside services, until the command is done. */
  openServices: () => Promise<Services>
}

type Account = z.output<typeof AccountRow>

/** The environment that a command runs in, by default that of this process. */
export type Variables = NodeJS.ProcessEnv | undefined

/** What a command writes to the console, and its exit code. */
export interface Outcome {
  status: number
  stdout: string
  stderr: string
}

export function finish({ status, stdout, stderr }: Outcome): void {
  process.stdout.write(stdout)
  process.stderr.write(stderr)
  process.exitCode = status
}

/** Opens the database for a command of the operator, about the account with this email address or ID. @throws StartError */
export async function withAccount<T>(
  variables: Variables,
  named: string,
  work: (found: Found) => Promise<T>,
): Promise<T> {
  await using stack = new AsyncDisposableStack()
  const env = readEnv(variables)
  const local = await findLocalEnvironment(env)
  const { embedded, connection, logins } = await chooseDatabase(env, local)
  stack.defer(async () => embedded?.stop())
  await refuseUnprepared(connection)
  const db = (await openDatabase(connection, logins)).as('operator')
  stack.defer(() => db.close())
  const account = await accountOf(db.system, named.trim())
  const openAll = async () => {
    const localServices = await local?.openServices(env, connection)
    stack.defer(async () => localServices?.close())
    return openServices(env, localServices)
  }
  // Awaited here: the database is closed on the way out.
  return await work({ db, openServices: openAll, ...account })
}

async function refuseUnprepared(connection: pg.PoolConfig): Promise<void> {
  const client = new pg.Client(connection)
  try {
    await client.connect()
    if (await isBehind(client)) throw new StartError('the database is not up to date. Start TRAXX once, then try again')
  } finally {
    await client.end()
  }
}

const AccountRow = z.object({ id: z.int(), email: z.string(), timeZone: z.string(), customer: z.string().nullable() })

async function accountOf(system: System, named: string): Promise<Account> {
  const statement = sql`
    select id, email, coalesce(time_zone, 'UTC') as "timeZone", stripe_customer_id as customer from accounts
    where (email <> '' and lower(email) = lower(${named})) or id::text = ${named}`
  const rows = await readRows(system, statement, AccountRow)
  if (rows.length > 1) {
    const ids = rows.map(({ id }) => id).join(', ')
    throw new StartError(`${rows.length} accounts have the email address ${named}: use one of the IDs ${ids}`)
  }
  if (!rows[0]) throw new StartError(`no account has the email address or ID ${named}`)
  return rows[0]
}

/** One line for the console. A connection that is refused on several addresses has a code for all of them, but no message. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const text = error.message || ('code' in error ? String(error.code) : error.name)
  return text.replaceAll(/\s*\n\s*/g, ' ')
}
