import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { resolve } from 'node:path'

const ROOT = resolve(import.meta.dirname, '../..')

export interface AppProcess {
  child: ChildProcess
  /** All that it has written, both streams. */
  output(): string
  /** Resolves when this text has been written; rejects when the process ends before. */
  says(text: string): Promise<void>
  /** The exit code; null where a signal ended it. */
  ended: Promise<number | null>
}

/** The server as a person starts it, or another program, with nothing of our own environment but the path. */
export function startApp(variables: Record<string, string>, program = ['src/server/main.ts']): AppProcess {
  const { PATH = '', HOME = '' } = process.env
  const child = spawn(process.execPath, program, { cwd: ROOT, env: { PATH, HOME, ...variables } })
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

/** A port that nobody listens on just now. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  if (address === null || typeof address === 'string') throw new Error('no port')
  return address.port
}
