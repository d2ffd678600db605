import { type ChildProcess, spawn } from 'node:child_process'
import { delimiter, join } from 'node:path'

const BIN = join(import.meta.dirname, '../node_modules/.bin')
const ROOT = join(import.meta.dirname, '..')

/** What points to real services and data; a test never follows it. */
const REAL = /^(DATABASE_URL|DATA_DIR|SMTP_URL|PORT|HOST|PG[A-Z]+|(VITE_)?CLERK_.*|(VITE_)?STRIPE_.*)$/

let current: ChildProcess | undefined
for (const signal of ['SIGTERM', 'SIGHUP'] as const) process.on(signal, () => current?.kill('SIGTERM'))
// Ctrl-C reaches the command too, which may want a moment to tidy up; a SIGINT for this process alone does not.
process.on('SIGINT', () => setTimeout(() => current?.kill('SIGTERM'), 3000).unref())

/** Runs a command of this project on the console that this process has; answers its exit code, 1 for a signal. */
export async function run(command: string, args: string[], env: Record<string, string> = {}): Promise<number> {
  const child = spawn(command, args, { cwd: ROOT, stdio: 'inherit', env: { ...testEnvironment(), ...env } })
  current = child
  const { promise, resolve } = Promise.withResolvers<number>()
  child.on('exit', (code) => resolve(code ?? 1))
  child.on('error', (error) => {
    console.error(`${command} could not be started: ${error.message}`)
    resolve(1)
  })
  return promise
}

function testEnvironment(): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(([name]) => !REAL.test(name))
  return { ...Object.fromEntries(kept), NODE_ENV: 'test', PATH: [BIN, process.env['PATH']].join(delimiter) }
}
