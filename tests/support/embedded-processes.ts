import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, cpSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { startEmbedded } from '#standins/postgres/embedded-postgres.ts'
import pg from 'pg'
import { expect, vi } from 'vitest'

const PROGRAM = new URL('./embedded-child.ts', import.meta.url).pathname

const undo: (() => unknown)[] = []

/** Ends and removes, newest first, what a test has started and made. */
export async function cleanUp(): Promise<void> {
  for (const step of undo.splice(0).reverse()) await step()
}

/** A folder that everybody may enter, because root's PostgreSQL runs as another user. */
export function aFolder(mode = 0o755): string {
  const folder = makeFolder(mode)
  undo.push(() => remove(folder))
  return folder
}

function makeFolder(mode: number): string {
  const folder = mkdtempSync(join(tmpdir(), 'traxx-embedded-'))
  chmodSync(folder, mode)
  return folder
}

let made: string | undefined

/** A folder with a stopped cluster in it, a copy of one that is made once. */
export async function aUsedFolder(folder = aFolder()): Promise<string> {
  made ??= await makeCluster()
  const home = join(folder, 'postgres')
  for (const part of ['data', 'passwords.json'])
    cpSync(join(made, 'postgres', part), join(home, part), { recursive: true })
  // Whatever mode folders are made with: root's PostgreSQL runs as another user, who must be able to enter.
  for (const entered of [folder, home]) chmodSync(entered, 0o755)
  return folder
}

async function makeCluster(): Promise<string> {
  const folder = makeFolder(0o755)
  const { stop } = await startEmbedded({ dataDir: folder })
  await stop()
  return folder
}

/** For the end of a test file; another file of the same worker makes a cluster of its own. */
export async function removeUsedFolder(): Promise<void> {
  const folder = made
  made = undefined
  if (folder) await remove(folder)
}

/** A server that is stopping takes files away itself, at which removing gives up halfway without a word. */
function remove(folder: string): Promise<void> {
  const remove = () => {
    rmSync(folder, { recursive: true, force: true })
    if (existsSync(folder)) throw new Error(`${folder} is still there`)
  }
  return vi.waitFor(remove, { timeout: 120_000 })
}

export async function start(dataDir: string) {
  const server = await startEmbedded({ dataDir })
  for (const folder of [server.location, server.connection.host]) undo.push(() => remove(folder))
  undo.push(() => server.stop())
  return server
}

export interface AppProcess {
  connection: pg.PoolConfig
  created: boolean
  /** The last number it said was committed. */
  committed(): number
  kill(): Promise<void>
}

/** Another app process on the same data folder, which commits numbers until it is killed. */
export async function anAppProcess(dataDir: string): Promise<AppProcess> {
  const child = spawnApp(dataDir)
  const lines = createInterface({ input: child.stdout })
  let committed = 0
  const started = await new Promise<Pick<AppProcess, 'connection' | 'created'>>((resolve, reject) => {
    child.once('exit', () => reject(new Error('The app process ended before it was ready')))
    lines.on('line', (line) => {
      const message = JSON.parse(line)
      committed = message.committed ?? committed
      if (message.connection) resolve(message)
    })
  })
  return { ...started, committed: () => committed, kill: () => kill(child) }
}

export function spawnApp(dataDir: string) {
  const child = spawn(process.execPath, [PROGRAM, dataDir], { stdio: ['ignore', 'pipe', 'inherit'] })
  undo.push(() => kill(child))
  return child
}

export async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  child.kill('SIGKILL')
  await once(child, 'exit')
}

export async function ask(connection: pg.PoolConfig, statement: string): Promise<unknown[]> {
  const client = new pg.Client(connection)
  // A server that is stopping also ends connections that ask for nothing; without a listener that fails the whole run.
  client.on('error', () => {})
  await client.connect()
  try {
    return (await client.query(statement)).rows
  } finally {
    await client.end()
  }
}

export function serverProcess(location: string): number {
  return Number(readFileSync(join(location, 'data/postmaster.pid'), 'utf8').split('\n')[0])
}

/** Waits until nobody answers on the connection. */
export function untilStopped(connection: pg.PoolConfig): Promise<void> {
  return vi.waitFor(
    async () => {
      const outcome = await ask(connection, 'select 1').catch((error: unknown) => error)
      expect(outcome).toMatchObject({ code: 'ENOENT' })
    },
    { timeout: 120_000 },
  )
}
