import { chmodSync, existsSync, readFileSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { StartError } from '#server/start-error.ts'
import type { Home } from './home-folder.ts'
import { isAlive } from './postmaster.ts'
import { giveAllTo, ownerOf, runAs } from './server-user.ts'

export const OWNER = 'traxx_owner'

const MAJOR = '18'
const DRAFT = /^data\.init\.(\d+)$/

export function dataOf(home: Home): string {
  return join(home.folder, 'data')
}

/** Makes the cluster when there is none; true when this process made it. */
export async function ensureCluster(home: Home, programs: string): Promise<boolean> {
  if (isFilled(dataOf(home))) {
    await takeBackFromRoot(home)
    return false
  }
  removeHalfMade(home)
  const draft = `${dataOf(home)}.init.${process.pid}`
  await initialise(home, programs, draft)
  return takeIntoUse(draft, dataOf(home))
}

/** Refuses a cluster of another PostgreSQL before anything has touched it. */
export function refuseOtherVersions(home: Home): void {
  const data = dataOf(home)
  if (!isFilled(data)) return

  const file = join(data, 'PG_VERSION')
  const found = existsSync(file) ? readFileSync(file, 'utf8').trim() : undefined
  if (found === MAJOR) return
  throw new StartError(
    found
      ? `The data folder ${data} was made by PostgreSQL ${found}, and this is PostgreSQL ${MAJOR}. Nothing in it was changed.`
      : `The folder ${data} is not a PostgreSQL data folder. Nothing in it was changed.`,
  )
}

function isFilled(folder: string): boolean {
  return existsSync(folder) && readdirSync(folder).length > 0
}

/** Root copied the folder, from a backup perhaps, and so became its owner. */
async function takeBackFromRoot(home: Home): Promise<void> {
  if (ownerOf(dataOf(home))?.uid !== 0) return
  await giveAllTo(home.user, home.folder)
  chmodSync(dataOf(home), 0o700)
}

/** What a process left that was killed while it made a cluster. */
function removeHalfMade({ folder }: Home): void {
  for (const name of readdirSync(folder)) {
    const maker = Number(DRAFT.exec(name)?.[1])
    if (!maker || (isAlive(maker) && maker !== process.pid)) continue
    // The killed process's initdb may still be writing.
    rmSync(join(folder, name), { recursive: true, force: true, maxRetries: 20 })
  }
}

async function initialise({ user }: Home, programs: string, draft: string): Promise<void> {
  const choices = ['-A', 'trust', '-E', 'UTF8', '--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--no-sync']
  try {
    await runAs(user, join(programs, 'initdb'), ['-D', draft, '-U', OWNER, ...choices])
  } catch (error) {
    rmSync(draft, { recursive: true, force: true })
    throw new StartError(`PostgreSQL could not make its data folder: ${lastWords(error)}`)
  }
}

function lastWords(error: unknown): string {
  const stderr = error instanceof Error && 'stderr' in error ? String(error.stderr) : String(error)
  return stderr.match(/error: .*/)?.[0] ?? stderr.trim().split('\n').at(-1) ?? 'no reason given'
}

/** Renaming decides between processes that made one at the same time: a filled folder is never replaced. */
function takeIntoUse(draft: string, data: string): boolean {
  try {
    renameSync(draft, data)
    return true
  } catch (error) {
    if (!isFilled(data)) throw error
    rmSync(draft, { recursive: true })
    return false
  }
}
