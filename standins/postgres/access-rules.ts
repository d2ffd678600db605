import { chownSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { APP_ROLE, SYSTEM_ROLE } from '#server/db/tenant-policies.ts'
import { dataOf, OWNER } from './data-folder.ts'
import type { Home } from './home-folder.ts'
import type { Passwords } from './passwords.ts'
import { withClient, type Connection } from './probe.ts'

const ACCESS_LOCK = 7_238_202
const RULES = `# Written by TRAXX: every role says its password, which stands in ../passwords.json.
local all all scram-sha-256
`

/**
 * Makes the running cluster ask for passwords, where it does not yet: a new one, and one that was made before it had
 * any. Connections that are open stay so, and nothing that is stored changes.
 */
export async function requirePasswords(home: Home, owner: Connection, passwords: Passwords): Promise<void> {
  const file = join(dataOf(home), 'pg_hba.conf')
  const isDone = () => readFileSync(file, 'utf8') === RULES
  if (isDone()) return
  await withClient(owner, async (client) => {
    // Of processes that start together one does it, and the others find it done.
    await client.query('select pg_advisory_lock($1)', [ACCESS_LOCK])
    if (isDone()) return
    await setPasswords(client, passwords)
    writeRules(home, file)
    await client.query('select pg_reload_conf()')
  })
}

async function setPasswords(client: pg.Client, { owner, app, system }: Passwords): Promise<void> {
  await client.query(`set password_encryption = 'scram-sha-256'`)
  for (const [role, password] of [
    [OWNER, owner],
    [APP_ROLE, app],
    [SYSTEM_ROLE, system],
  ] as const) {
    const { rowCount } = await client.query('select from pg_roles where rolname = $1', [role])
    const verb = rowCount === 0 ? 'create' : 'alter'
    await client.query(`${verb} role ${role} login password ${pg.escapeLiteral(password)}`)
  }
}

/** Renamed into its place: a server that starts just now reads all of it or none. */
function writeRules({ user }: Home, file: string): void {
  const draft = `${file}.${process.pid}`
  writeFileSync(draft, RULES, { mode: 0o600 })
  if (user) chownSync(draft, user.uid, user.gid)
  renameSync(draft, file)
}
