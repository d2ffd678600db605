import { execFile } from 'node:child_process'
import { statSync } from 'node:fs'
import { promisify } from 'node:util'
import { StartError } from '#server/start-error.ts'

/** Undefined means the user who runs this process. */
export type ServerUser = { uid: number; gid: number } | undefined

/** English, UTC, and nothing of the caller's PG* variables. */
export const SERVER_ENVIRONMENT = { PATH: '/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin', LC_ALL: 'C', TZ: 'UTC' }

const execute = promisify(execFile)
const CANDIDATES = ['postgres', '_postgres', 'nobody']

export function isRoot(): boolean {
  return process.getuid?.() === 0
}

/** PostgreSQL refuses to run as root and needs a user that the machine knows by name. */
export async function unprivilegedUser(): Promise<ServerUser> {
  for (const name of CANDIDATES) {
    const user = await userNamed(name)
    if (user && (await canRun(user))) return user
  }
  throw new StartError(
    'PostgreSQL does not run as root, and no other user (postgres, nobody) was found. Start TRAXX as an ordinary user, or set DATABASE_URL.',
  )
}

export async function runAs(user: ServerUser, file: string, args: string[]): Promise<string> {
  const { stdout } = await execute(file, args, { ...user, cwd: '/', env: SERVER_ENVIRONMENT })
  return stdout
}

/** True when the command ends well. */
export async function succeeds(user: ServerUser, file: string, args: string[]): Promise<boolean> {
  return runAs(user, file, args).then(
    () => true,
    () => false,
  )
}

export function canEnter(user: ServerUser, folder: string): Promise<boolean> {
  return succeeds(user, '/bin/sh', ['-c', 'test -x "$1"', 'sh', folder])
}

/** Whose file this is; undefined when there is none. */
export function ownerOf(path: string): { uid: number; gid: number } | undefined {
  const found = statSync(path, { throwIfNoEntry: false })
  return found && { uid: found.uid, gid: found.gid }
}

export async function giveAllTo(user: ServerUser, folder: string): Promise<void> {
  if (user) await runAs(undefined, 'chown', ['-R', `${user.uid}:${user.gid}`, folder])
}

async function userNamed(name: string): Promise<ServerUser> {
  try {
    const [uid, gid] = await Promise.all([runAs(undefined, 'id', ['-u', name]), runAs(undefined, 'id', ['-g', name])])
    return { uid: Number(uid), gid: Number(gid) }
  } catch {
    return undefined
  }
}

function canRun(user: ServerUser): Promise<boolean> {
  return succeeds(user, '/bin/sh', ['-c', ':'])
}
