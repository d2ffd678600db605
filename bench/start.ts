import { execFileSync, spawn } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { freePort } from '#support/app-process.ts'

/**
 * `npm run bench -- start`: seconds from `npm start` on a fresh clone to a served dashboard, and of the starts after it,
 * against the start of an HTTP server that does nothing, in the same run.
 */
const ROOT = resolve(import.meta.dirname, '..')
const WARM_STARTS = 5
const clone = mkdtempSync(join(tmpdir(), 'traxx-clone-'))
chmodSync(clone, 0o755)

try {
  execFileSync('git', ['clone', '--quiet', ROOT, clone])
  console.log(`fresh clone to a served dashboard: ${seconds(await start())} s`)
  console.log(`installed: ${megabytes('node_modules')} MB in node_modules, ${megabytes('.data')} MB of data`)
  const warm: number[] = []
  const bare: number[] = []
  for (let round = 0; round < WARM_STARTS; round += 1) {
    warm.push(await start())
    bare.push(await startBare())
  }
  const [ours, reference] = [median(warm), median(bare)]
  console.log(`warm start (npm start): ${seconds(ours)} s, median of ${WARM_STARTS}`)
  console.log(`an HTTP server that does nothing: ${seconds(reference)} s; ratio ${(ours / reference).toFixed(1)}`)
} finally {
  rmSync(clone, { recursive: true, force: true })
}

async function start(): Promise<number> {
  const port = await freePort()
  return timed(port, ['npm', 'start'], { PORT: String(port) })
}

async function startBare(): Promise<number> {
  const port = await freePort()
  const program = `require('node:http').createServer((_, answer) => answer.end()).listen(${port}, '127.0.0.1')`
  return timed(port, [process.execPath, '-e', program], {})
}

/** Milliseconds until the dashboard's page is served and the server says that it is ready. */
async function timed(port: number, [command = '', ...args]: string[], variables: Record<string, string>) {
  const { PATH = '', HOME = '' } = process.env
  const begun = performance.now()
  const child = spawn(command, args, {
    cwd: clone,
    env: { PATH: pathWithout(PATH), HOME, ...variables },
    stdio: 'ignore',
    detached: true,
  })
  while (!(await isServed(port))) await pause(20)
  const took = performance.now() - begun
  if (child.pid) process.kill(-child.pid, 'SIGINT')
  await new Promise((done) => child.once('close', done))
  return took
}

async function isServed(port: number): Promise<boolean> {
  try {
    const [ready, page] = await Promise.all([
      fetch(`http://127.0.0.1:${port}/readyz`),
      fetch(`http://127.0.0.1:${port}/dashboard`, { headers: { accept: 'text/html' } }),
    ])
    return ready.ok && page.ok
  } catch {
    return false
  }
}

// The clone is to find its own Node, not ours.
function pathWithout(path: string): string {
  return path
    .split(':')
    .filter((folder) => !folder.startsWith(ROOT))
    .join(':')
}

function megabytes(folder: string): string {
  return execFileSync('du', ['-sm', join(clone, folder)], { encoding: 'utf8' }).split('\t')[0] ?? ''
}

function median(values: number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0
}

function seconds(milliseconds: number): string {
  return (milliseconds / 1000).toFixed(2)
}
