import { randomBytes } from 'node:crypto'
import {
  accessSync,
  chownSync,
  constants,
  existsSync,
  linkSync,
  mkdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { StartError } from '#server/start-error.ts'
import { type ServerUser, canEnter, isRoot, ownerOf, unprivilegedUser } from './server-user.ts'

/** The folder that holds the cluster, and the user PostgreSQL runs as. */
export interface Home {
  folder: string
  user: ServerUser
  /** True when it could not be under the data folder, because PostgreSQL's user cannot enter that. */
  moved: boolean
}

/** Finds or makes the cluster's folder: under the data folder wherever that is possible. */
export async function findHome(dataDir: string): Promise<Home> {
  const root = resolve(dataDir)
  makeFolder(root, 0o755)
  const near = join(root, 'postgres')
  if (isRoot()) return homeOfAnotherUser(root, near)

  makeFolder(near, 0o700)
  return { folder: near, user: undefined, moved: false }
}

function makeFolder(folder: string, mode: number): void {
  try {
    makeAll(folder, mode)
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK)
  } catch (error) {
    throw notWritable(folder, error)
  }
}

// One by one: `recursive` never comes back from a file system that has no room for folders, as /proc.
function makeAll(folder: string, mode: number): void {
  if (existsSync(folder)) return
  makeAll(dirname(folder), mode)
  try {
    mkdirSync(folder, { mode })
  } catch (error) {
    // Another process has just made it.
    if (!existsSync(folder)) throw error
  }
}

function notWritable(folder: string, error: unknown): StartError {
  const code = error instanceof Error && 'code' in error ? String(error.code) : String(error)
  return new StartError(`The data folder ${folder} cannot be written to (${code}). Set DATA_DIR to one that can.`)
}

async function homeOfAnotherUser(root: string, near: string): Promise<Home> {
  const existing = await existingHome(near)
  if (existing) return existing

  const far = readPointer(root)
  if (far) return { ...((await existingHome(far)) ?? (await newHome(far))), moved: true }

  const user = await unprivilegedUser()
  if ((await canEnter(user, root)) && makeFor(user, near)) return { folder: near, user, moved: false }
  return { folder: await moveOut(root), user, moved: true }
}

/** A cluster keeps the user who owns it, unless that is root, who may not run it. */
async function existingHome(folder: string): Promise<Home | undefined> {
  const owner = ownerOf(join(folder, 'data'))
  if (!owner) return undefined
  return { folder, user: owner.uid === 0 ? await unprivilegedUser() : owner, moved: false }
}

async function newHome(folder: string): Promise<Home> {
  const user = await unprivilegedUser()
  if (makeFor(user, folder) && (await canEnter(user, folder))) return { folder, user, moved: false }
  throw new StartError(`PostgreSQL cannot use the folder ${folder}.`)
}

/** False where the file system does not let a folder be given away. */
function makeFor(user: ServerUser, folder: string): boolean {
  makeFolder(dirname(folder), 0o755)
  makeFolder(folder, 0o700)
  try {
    if (user) chownSync(folder, user.uid, user.gid)
    return true
  } catch {
    rmSync(folder, { recursive: true })
    return false
  }
}

function pointerIn(root: string): string {
  return join(root, 'postgres-lives-at')
}

function readPointer(root: string): string | undefined {
  const pointer = pointerIn(root)
  return existsSync(pointer) ? readFileSync(pointer, 'utf8').trim() : undefined
}

/** The data folder notes where its cluster went, so that deleting or moving it does what one expects. */
async function moveOut(root: string): Promise<string> {
  const id = randomBytes(6).toString('hex')
  for (const folder of [`/var/lib/traxx/${id}`, `/var/tmp/traxx-${id}`]) {
    const usable = await newHome(folder).catch(() => undefined)
    if (usable) return recordPointer(root, folder)
  }
  throw new StartError('No folder was found that PostgreSQL may use. Set DATA_DIR to one that every user can reach.')
}

/** The first of several processes decides: a link, unlike a write, is there whole or not at all. */
function recordPointer(root: string, folder: string): string {
  const draft = `${pointerIn(root)}.${process.pid}`
  writeFileSync(draft, `${folder}\n`)
  try {
    linkSync(draft, pointerIn(root))
    return folder
  } catch {
    rmSync(folder, { recursive: true })
    return readPointer(root) ?? folder
  } finally {
    rmSync(draft)
  }
}
