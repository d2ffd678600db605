import { type ChildProcess, spawn, type StdioOptions } from 'node:child_process'
import { delimiter, join } from 'node:path'

const BIN = join(import.meta.dirname, '../node_modules/.bin')
const ROOT = join(import.meta.dirname, '..')
/** What the server keeps compiled too, for the many processes that load the same. */
const COMPILED = join(ROOT, 'node_modules/.cache/node')

/** Points to real services and data. Removed from the tests' environment. */
const REAL = /^(DATABASE_URL|DATA_DIR|SMTP_URL|PORT|HOST|PG[A-Z]+|(VITE_)?CLERK_.*|(VITE_)?STRIPE_.*)$/

const running = new Set<ChildProcess>()
for (const signal of ['SIGTERM', 'SIGHUP'] as const) process.on(signal, stopAll)
// Ctrl-C reaches the commands too, which may want a moment to tidy up; a SIGINT for this process alone does not.
process.on('SIGINT', () => setTimeout(stopAll, 3000).unref())

function stopAll(): void {
  for (const child of running) child.kill('SIGTERM')
}

interface RunOptions {
  env?: Record<string, string>
  /** Takes what the command writes, in place of the console. */
  write?: (output: Buffer) => unknown
}

/** Runs a command of this project, on this process's console by default. @returns its exit code, 1 for a signal */
export async function run(command: string, args: string[], { env, write }: RunOptions = {}): Promise<number> {
  const stdio: StdioOptions = write ? ['ignore', 'pipe', 'pipe'] : 'inherit'
  const child = spawn(command, args, { cwd: ROOT, stdio, env: { ...testEnvironment(), ...env } })
  running.add(child)
  for (const stream of [child.stdout, child.stderr]) if (write) stream?.on('data', write)
  const { promise, resolve } = Promise.withResolvers<number>()
  child.on('close', (code) => resolve(code ?? 1))
  child.on('error', (error) => {
    console.error(`${command} could not be started: ${error.message}`)
    resolve(1)
  })
  return promise.finally(() => running.delete(child))
}

function testEnvironment(): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(([name]) => !REAL.test(name))
  const path = [BIN, process.env['PATH']].join(delimiter)
  return { ...Object.fromEntries(kept), NODE_ENV: 'test', NODE_COMPILE_CACHE: COMPILED, PATH: path }
}
