import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { freePort } from '#support/app-process.ts'
import { until, type Started } from './processes.ts'
import { SHIPPED, shippedVariables } from './shipped-files.ts'

export const HOST = '127.0.0.1'
export const POSTGRES = '/usr/lib/postgresql/15/bin'
const ANSWER_MS = 2000
const SWITCHOVER_MS = 60_000
/** In bytes, while there is load. */
const MOST_LAG = 1_000_000

/** One node of the cluster: Patroni, and its PostgreSQL. */
export interface Node {
  name: string
  /** Patroni's. */
  port: number
  /** PostgreSQL's. */
  database: number
  dataFolder: string
  variables: Record<string, string>
  patroni?: Started
}

interface Place {
  folder: string
  etcd: string
  /** Of all roles. */
  password: string
}

export async function nodeOf(n: number, { folder, etcd, password }: Place): Promise<Node> {
  const [port, database] = [await freePort(), await freePort()]
  const dataFolder = join(folder, `pg${n}`)
  const variables = shippedVariables('patroni', {
    PATRONI_NAME: `pg${n}`,
    PATRONI_RESTAPI_LISTEN: `${HOST}:${port}`,
    PATRONI_RESTAPI_CONNECT_ADDRESS: `${HOST}:${port}`,
    PATRONI_POSTGRESQL_LISTEN: `${HOST}:${database}`,
    PATRONI_POSTGRESQL_CONNECT_ADDRESS: `${HOST}:${database}`,
    PATRONI_ETCD_HOSTS: etcd,
    PATRONI_POSTGRESQL_DATA_DIR: dataFolder,
    PATRONI_POSTGRESQL_BIN_DIR: POSTGRES,
    PATRONI_SUPERUSER_PASSWORD: password,
    PATRONI_REPLICATION_PASSWORD: password,
    PATRONI_REWIND_PASSWORD: password,
    PGBACKREST_PG1_PATH: dataFolder,
    PGBACKREST_REPO1_CIPHER_PASS: password,
  })
  // Else they would share one in their home, which each writes for its own primary.
  const passwords = { PATRONI_POSTGRESQL_PGPASS: join(folder, `pg${n}.pgpass`) }
  return {
    name: `pg${n}`,
    port,
    database,
    dataFolder,
    variables: { ...variables, ...repositoryIn(folder), ...passwords },
  }
}

/** pgBackRest's settings, with a folder in place of the bucket. */
function repositoryIn(folder: string): Record<string, string> {
  return {
    PGBACKREST_CONFIG: join(SHIPPED, 'pgbackrest.conf'),
    PGBACKREST_REPO1_TYPE: 'posix',
    PGBACKREST_REPO1_PATH: join(folder, 'backups'),
    PGBACKREST_LOG_PATH: folder,
    PGBACKREST_LOCK_PATH: folder,
  }
}

/** Patroni, and PostgreSQL, which Patroni detaches from itself. */
export function processesOf({ dataFolder, patroni }: Node): number[] {
  const file = join(dataFolder, 'postmaster.pid')
  const postmaster = existsSync(file) ? [Number(readFileSync(file, 'utf8').split('\n')[0])] : []
  return [...(patroni?.isRunning() ? [patroni.pid] : []), ...postmaster]
}

const Members = z.object({
  members: z.array(
    z.object({ role: z.string(), state: z.string(), lag: z.union([z.number(), z.string()]).optional() }),
  ),
})

/** Whether all nodes run, and one of them confirms each commit of the primary. */
export async function isHealthy(nodes: readonly Node[]): Promise<boolean> {
  const answers = await Promise.all(nodes.map((node) => ask(node, 'cluster')))
  if (answers.includes(undefined)) return false
  const { success, data } = Members.safeParse(await answers[0]?.json())
  if (!success) return false
  const roles = data.members
    .filter(({ state, lag = 0 }) => ['running', 'streaming'].includes(state) && Number(lag) < MOST_LAG)
    .map(({ role }) => role)
  return roles.length === nodes.length && roles.includes('leader') && roles.includes('sync_standby')
}

export async function primaryOf(nodes: readonly Node[]): Promise<Node> {
  let primary: Node | undefined
  await until('a node is the primary', async () => {
    const answers = await Promise.all(nodes.map((node) => ask(node, 'primary', { method: 'OPTIONS' })))
    primary = nodes.find((_node, at) => answers[at]?.status === 200)
    return primary !== undefined
  })
  if (!primary) throw new Error('No node is the primary')
  return primary
}

/** Makes another node the primary. */
export async function switchOver(primary: Node): Promise<void> {
  const body = JSON.stringify({ leader: primary.name })
  const signal = AbortSignal.timeout(SWITCHOVER_MS)
  const answer = await ask(primary, 'switchover', { method: 'POST', body, signal })
  if (!answer?.ok) throw new Error(`Patroni refused the switchover: ${await answer?.text()}`)
}

/** Undefined if Patroni does not answer. */
async function ask({ port }: Node, path: string, options: RequestInit = {}): Promise<Response | undefined> {
  const signal = AbortSignal.timeout(ANSWER_MS)
  return fetch(`http://${HOST}:${port}/${path}`, { signal, ...options }).catch(() => undefined)
}
