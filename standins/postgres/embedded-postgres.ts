import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Logins } from '#server/db/connections/logins.ts'
import { APP_ROLE, SYSTEM_ROLE } from '#server/db/tenant-policies.ts'
import { requirePasswords } from './access-rules.ts'
import { dataOf, ensureCluster, OWNER, refuseOtherVersions } from './data-folder.ts'
import { findHome } from './home-folder.ts'
import { keepServer } from './keep-running.ts'
import { openPasswords } from './passwords.ts'
import { readPostmaster } from './postmaster.ts'
import type { Connection } from './probe.ts'
import { findPrograms } from './programs.ts'
import { makeRunFolder } from './run-folder.ts'
import { makePipe } from './supervisor.ts'

export interface EmbeddedServer {
  /** As the owner of the tables. */
  connection: Connection
  /** As the roles that the server works as. */
  logins: Logins<Connection>
  /** Where the cluster lives. */
  location: string
  /** True when root made it live elsewhere than under the data folder. */
  moved: boolean
  /** True when this call made the cluster. */
  created: boolean
  /** True when the server ran already, started by another process. */
  adopted: boolean
  stop: () => Promise<void>
}

export interface EmbeddedOptions {
  dataDir: string
  database?: string
  settings?: Record<string, string>
}

/** A small machine's share; connections in sum of what one app process and its jobs open, several times over. */
const SETTINGS = { listen_addresses: '', shared_buffers: '128MB', max_connections: '60', jit: 'off' }

/**
 * A real PostgreSQL for a machine that has none, reached by a unix socket alone, and by passwords. It runs as long as any process that
 * called this, however it ends in between, and stops by itself when the last one has stopped or was killed. Several processes may share it, and may
 * come in any order or at once.
 */
export async function startEmbedded({
  dataDir,
  database = 'traxx',
  settings,
}: EmbeddedOptions): Promise<EmbeddedServer> {
  const home = await findHome(dataDir)
  refuseOtherVersions(home)
  const programs = await findPrograms(home)
  const created = await ensureCluster(home, programs)

  const data = dataOf(home)
  const run = makeRunFolder(home)
  const pipe = join(run, 'alive')
  await makePipe(home.user, pipe)

  const passwords = openPasswords(home)
  const as = (user: string, password: string): Connection => ({
    host: run,
    port: 5432,
    user,
    password,
    database,
    ssl: false,
  })
  const connection = as(OWNER, passwords.owner)
  const logins = { app: as(APP_ROLE, passwords.app), system: as(SYSTEM_ROLE, passwords.system) }
  const command = [join(programs, 'postgres'), '-D', data, '-k', run, ...asArguments({ ...SETTINGS, ...settings })]
  const server = { user: home.user, pipe, log: join(home.folder, 'server.log'), command }
  const { adopted, leave } = await keepServer({ data, connection, server })
  try {
    await requirePasswords(home, connection, passwords)
  } catch (error) {
    await leave()
    throw error
  }
  return { connection, logins, location: home.folder, moved: home.moved, created, adopted, stop: once(leave) }
}

/** The server that runs on this data folder, without starting one; undefined where none does. */
export async function joinEmbedded(options: EmbeddedOptions): Promise<EmbeddedServer | undefined> {
  if (!existsSync(options.dataDir)) return undefined
  return readPostmaster(dataOf(await findHome(options.dataDir)))?.running ? startEmbedded(options) : undefined
}

function asArguments(settings: Record<string, string>): string[] {
  return Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
}

function once(work: () => Promise<void>): () => Promise<void> {
  let done: Promise<void> | undefined
  return () => (done ??= work())
}
