import { execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { resolve } from 'node:path'
import manifest from '#package' with { type: 'json' }

const ROOT = resolve(import.meta.dirname, '../..')

/** What `npm start` and `npm run worker` run, with their options of Node. */
export const SERVER = nodeArguments(manifest.scripts.start)
export const WORKER = nodeArguments(manifest.scripts.worker)

export interface AppProcess {
  child: ChildProcess
  /** All that it has written, both streams. */
  output(): string
  /** Resolves when this text has been written; rejects when the process ends before. */
  says(text: string): Promise<void>
  /** The exit code; null where a signal ended it. */
  ended: Promise<number | null>
}

/** The server as a person starts it, or another program, with nothing of our own environment but paths. */
export function startApp(variables: Record<string, string>, program = SERVER): AppProcess {
  const { PATH, HOME, NODE_COMPILE_CACHE } = process.env
  const child = spawn(process.execPath, program, { cwd: ROOT, env: { PATH, HOME, NODE_COMPILE_CACHE, ...variables } })
  let written = ''
  const listeners = new Set<() => void>()
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      written += text
      for (const listener of listeners) listener()
    })
  }
  const ended = once(child, 'close').then(() => child.exitCode)
  return {
    child,
    ended,
    output: () => written,
    says: (text) =>
      new Promise((done, fail) => {
        const look = () => written.includes(text) && done()
        listeners.add(look)
        void ended.then((code) => fail(new Error(`ended with ${code} before saying "${text}":\n${written}`)))
        look()
      }),
  }
}

/** What a process keeps in memory, as the system has it. */
export function residentMegabytes({ child }: AppProcess): number {
  return Number(execFileSync('ps', ['-o', 'rss=', '-p', String(child.pid)], { encoding: 'utf8' })) / 1024
}

const TICKS_A_SECOND = 100

/** How long a process has used a processor: to a hundredth of a second on Linux, elsewhere to a second. */
export function processorSeconds({ child }: AppProcess): number {
  if (process.platform === 'linux') {
    const fields = readFileSync(`/proc/${child.pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? []
    return (Number(fields[11]) + Number(fields[12])) / TICKS_A_SECOND
  }
  return Number(execFileSync('ps', ['-o', 'cputimes=', '-p', String(child.pid)], { encoding: 'utf8' }))
}

/**
 * Below those that a system gives to connections and to servers that ask for any: it would give one of them to somebody
 * else between the moment it was found free and the moment a server listens on it. Above 10080, which `fetch` refuses.
 */
const PORTS = { from: 11_000, until: 30_000 }
let latestPort = randomInt(PORTS.from, PORTS.until)

/** A port that nobody listens on just now, and that this process has not been given before. */
export async function freePort(): Promise<number> {
  latestPort = latestPort + 1 < PORTS.until ? latestPort + 1 : PORTS.from
  const port = latestPort
  return (await isFree(port)) ? port : freePort()
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer().listen(port, '127.0.0.1')
  try {
    await once(server, 'listening')
  } catch (error) {
    if (Object(error).code === 'EADDRINUSE') return false
    throw error
  }
  server.close()
  await once(server, 'close')
  return true
}

/** The arguments of the last Node of a script. */
function nodeArguments(script: string): string[] {
  return script.slice(script.lastIndexOf('node ')).split(' ').slice(1)
}
