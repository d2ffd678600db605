import { createHash } from 'node:crypto'
import { chownSync, lstatSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { StartError } from '#server/start-error.ts'
import type { Home } from './home-folder.ts'

/** What macOS allows for the path of a socket, in bytes; Linux has a little more. */
const LONGEST_PATH = 103
const SOCKET = '.s.PGSQL.5432'

/** The folder of the socket: beside the data, or, where that path is too long, in /tmp under a name made from it. */
export function makeRunFolder(home: Home): string {
  const near = join(home.folder, 'run')
  const folder = fits(near) ? near : join('/tmp', `traxx-${hashOf(near)}`)
  const owner = home.user?.uid ?? process.getuid?.()

  const isNew = mkdirSync(folder, { recursive: true, mode: 0o700 }) !== undefined
  if (isNew && home.user) chownSync(folder, home.user.uid, home.user.gid)

  const found = lstatSync(folder)
  if (found.isDirectory() && found.uid === owner) return folder
  throw new StartError(`The folder ${folder} belongs to somebody else, and PostgreSQL needs it.`)
}

function fits(folder: string): boolean {
  return Buffer.byteLength(join(folder, SOCKET)) <= LONGEST_PATH
}

function hashOf(path: string): string {
  return createHash('sha256').update(path).digest('hex').slice(0, 16)
}
