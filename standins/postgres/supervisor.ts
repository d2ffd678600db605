import { spawn } from 'node:child_process'
import { closeSync, constants, existsSync, fchownSync, openSync, writeSync } from 'node:fs'
import { runAs, SERVER_ENVIRONMENT, type ServerUser, succeeds } from './server-user.ts'

/**
 * Runs beside the server in a separate session, so that neither Ctrl-C nor `kill -9` of the app reaches it. Every
 * app process holds the pipe open for writing; when the last one is gone, however it ended, the read ends and the
 * server is asked to stop.
 */
const SUPERVISOR = `
pipe=$1; shift
"$@" & server=$!
( read -r _ <"$pipe"; kill -INT "$server" ) & watch=$!
wait "$server"; code=$?
kill "$watch" 2>/dev/null
exit "$code"`

export interface ServerCommand {
  user: ServerUser
  pipe: string
  log: string
  command: string[]
  /** A process that has the number of a killed server, which PostgreSQL would take for that server. */
  namesake: number | undefined
}

/** `ended` turns true when the server has stopped, for whatever reason. */
export interface Supervised {
  ended: boolean
}

export function superviseServer({ user, pipe, log, command, namesake }: ServerCommand): Supervised {
  const output = openSync(log, 'a')
  if (user) fchownSync(output, user.uid, user.gid)
  const child = spawn('/bin/sh', ['-c', SUPERVISOR, 'traxx-postgres', pipe, ...command], {
    ...user,
    cwd: '/',
    detached: true,
    stdio: ['ignore', output, output],
    env: { ...SERVER_ENVIRONMENT, ...(namesake && { PG_GRANDPARENT_PID: String(namesake) }) },
  })
  closeSync(output)
  child.unref()
  const supervised = { ended: false }
  const end = () => (supervised.ended = true)
  child.once('exit', end).once('error', end)
  return supervised
}

export async function makePipe(user: ServerUser, pipe: string): Promise<void> {
  if (existsSync(pipe) || (await succeeds(user, 'mkfifo', ['-m', '600', pipe])) || existsSync(pipe)) return
  await runAs(user, 'mkfifo', ['-m', '600', pipe])
}

/** This process's share in keeping the server alive. */
export interface Hold {
  /** False when no supervisor listens any more: the server that answers is about to stop. */
  confirm(): boolean
  release(): void
}

/** Open for both at first, because opening for writing alone fails until a supervisor reads. */
export function holdOpen(pipe: string): Hold {
  let held = openSync(pipe, constants.O_RDWR | constants.O_NONBLOCK)
  const exchange = (mode: number) => {
    const next = openSync(pipe, mode | constants.O_NONBLOCK)
    closeSync(held)
    held = next
  }
  return {
    confirm: () => {
      exchange(constants.O_WRONLY)
      if (hasReader(held)) return true
      exchange(constants.O_RDWR)
      return false
    },
    release: () => closeSync(held),
  }
}

/** The supervisor waits for the end of its input, so its content does not matter. */
function hasReader(descriptor: number): boolean {
  try {
    writeSync(descriptor, '.')
    return true
  } catch {
    return false
  }
}
