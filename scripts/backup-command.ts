import { basename, dirname, resolve } from 'node:path'
import { backUp } from '#server/backups/back-up.ts'
import type { Manifest } from '#server/backups/manifest.ts'
import { restore } from '#server/backups/restore.ts'
import { chooseDatabase } from '#server/boot/choose-database.ts'
import { findLocalEnvironment } from '#server/boot/find-local-environment.ts'
import type { LocalEnvironment } from '#server/boot/local-environment.ts'
import { openBucket, openFiles } from '#server/boot/open-services.ts'
import { readEnv, type Env } from '#server/env.ts'
import { StartError } from '#server/start-error.ts'
import type { FileStore } from '#server/storage/file-store.ts'
import { openLocalFiles } from '#server/storage/local-files.ts'
import { reasonOf, type Outcome, type Variables } from './account-database.ts'

const BACKUP_USAGE = 'npm run backup -- /backups, or: npm run backup -- s3://bucket/folder'
const RESTORE_USAGE = 'DATA_DIR=.data-restored npm run restore -- /backups/traxx-2026-11-25T03-00-00Z'

/** `npm run backup -- <folder or s3://bucket/folder>` copies the embedded database and its files into a folder of its own. */
export async function makeBackup(args: string[], variables?: Variables): Promise<Outcome> {
  try {
    const [place, ...others] = args
    if (!place || others.length > 0) throw new StartError(`use it as in: ${BACKUP_USAGE}`)
    const { name, manifest } = await withEmbedded(variables, async ({ env, connection }) => {
      const { store, path } = await storeAt(env, place, 'folder')
      return backUp({ connection, files: await openFiles(env), target: store, folder: path, ...common(env) })
    })
    const { missing } = manifest
    const gone = missing.length === 0 ? '' : `Files that could not be found, and are not in it: ${missing.join(', ')}\n`
    return { status: 0, stdout: `Backed up ${contentOf(manifest)} to ${name}\n`, stderr: gone }
  } catch (error) {
    return { status: 1, stdout: '', stderr: `No backup was made: ${reasonOf(error)}\n` }
  }
}

/** `npm run restore -- <backup>` makes a new DATA_DIR that of a backup. */
export async function restoreBackup(args: string[], variables?: Variables): Promise<Outcome> {
  try {
    const [place, ...others] = args
    if (!place || others.length > 0) throw new StartError(`use it as in: ${RESTORE_USAGE}`)
    const manifest = await withEmbedded(variables, async ({ env, local, connection, logins }) => {
      const { store, path: name } = await storeAt(env, place, 'backup')
      const prepare = () => local.createTables(env, connection)
      const files = await openFiles(env)
      return restore({ connection, logins, prepare, files, source: store, name, secret: env.BACKUP_KEY })
    })
    return { status: 0, stdout: `Restored ${contentOf(manifest)}, as of ${manifest.madeAt}\n`, stderr: '' }
  } catch (error) {
    return { status: 1, stdout: '', stderr: `Nothing was restored: ${reasonOf(error)}\n` }
  }
}

function common(env: Env) {
  return { secret: env.BACKUP_KEY, now: new Date() }
}

function contentOf({ tables, files }: Manifest): string {
  const rows = tables.reduce((sum, table) => sum + table.rows, 0)
  return `${rows.toLocaleString('en-US')} rows and ${files.length.toLocaleString('en-US')} files`
}

type Embedded = Pick<Awaited<ReturnType<typeof chooseDatabase>>, 'connection' | 'logins'>

/** Starts the embedded database, or joins a server that runs on it. @throws StartError if DATABASE_URL names another one */
async function withEmbedded<T>(
  variables: Variables,
  work: (found: Embedded & { env: Env; local: LocalEnvironment }) => Promise<T>,
): Promise<T> {
  const env = readEnv(variables)
  const local = await findLocalEnvironment(env)
  if (env.DATABASE_URL || !local) {
    throw new StartError(
      'this command is for the embedded database. docs/backup.md says how the one of DATABASE_URL is backed up',
    )
  }
  const { embedded, connection, logins } = await chooseDatabase(env, local)
  try {
    return await work({ env, local, connection, logins })
  } finally {
    await embedded?.stop()
  }
}

/** The folder itself, or the one that a backup is in. */
async function storeAt(
  env: Env,
  place: string,
  what: 'folder' | 'backup',
): Promise<{ store: FileStore; path: string }> {
  const bucket = /^s3:\/\/([^/]+)\/?(.*?)\/?$/.exec(place)
  if (bucket?.[1]) {
    if (!env.S3_ENDPOINT)
      throw new StartError('a bucket needs the variables S3_ENDPOINT and the others that belong to it')
    return { store: await openBucket(env, bucket[1]), path: bucket[2] ?? '' }
  }
  const path = resolve(place)
  return what === 'folder'
    ? { store: openLocalFiles(path), path: '' }
    : { store: openLocalFiles(dirname(path)), path: basename(path) }
}
