import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { ServerUser } from '#standins/postgres/server-user.ts'

export interface Started {
  pid: number
  /** The exit code; null where a signal ended it. */
  ended: Promise<number | null>
  isRunning: () => boolean
  /** All that it has written. */
  output: () => string
}

export interface Program {
  name: string
  file: string
  args: string[]
  variables: Record<string, string>
  cwd?: string
}

/** Starts programs as an ordinary user, each with a log in the folder. */
export function openProcesses(folder: string, user: ServerUser) {
  const all: Started[] = []
  return {
    start: ({ name, file, args, variables, cwd = folder }: Program): Started => {
      const logFile = join(folder, `${name}-${all.length}.log`)
      const log = openSync(logFile, 'a')
      const env = { PATH: '/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin', HOME: folder, ...variables }
      const child = spawn(file, args, { ...user, cwd, env, stdio: ['ignore', log, log] })
      let running = true
      const ended = once(child, 'close').then(() => {
        running = false
        return child.exitCode
      })
      const started = {
        pid: child.pid ?? 0,
        ended,
        isRunning: () => running,
        output: () => readFileSync(logFile, 'utf8'),
      }
      all.push(started)
      return started
    },
    /** Kills what still runs. */
    stop: async () => {
      const running = all.filter((each) => each.isRunning())
      for (const { pid } of running) signalTree([pid], 'SIGKILL')
      await Promise.all(running.map(({ ended }) => ended))
    },
  }
}

export type Processes = ReturnType<typeof openProcesses>

/** Signals these processes and all that they have started. */
export function signalTree(roots: number[], signal: NodeJS.Signals): void {
  for (const pid of withChildren(roots)) {
    try {
      process.kill(pid, signal)
    } catch {
      // It has just ended.
    }
  }
}

function withChildren(roots: number[]): number[] {
  const table = execFileSync('ps', ['-eo', 'pid=,ppid='], { encoding: 'utf8' })
  const pairs = table
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/).map(Number))
  const found = new Set(roots)
  // A process may be listed before its parent.
  for (let before = 0; before < found.size;) {
    before = found.size
    for (const [pid = 0, parent = 0] of pairs) if (found.has(parent)) found.add(pid)
  }
  return [...found]
}

/** Waits until something is so. @throws if it is not within the seconds */
export async function until(what: string, isSo: () => Promise<boolean> | boolean, seconds = 120): Promise<void> {
  const end = performance.now() + seconds * 1000
  while (!(await isSo())) {
    if (performance.now() > end) throw new Error(`After ${seconds} seconds, still waiting until ${what}`)
    await pause(100)
  }
}
