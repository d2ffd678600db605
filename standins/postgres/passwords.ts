import { randomBytes } from 'node:crypto'
import { chmodSync, existsSync, linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { StartError } from '#server/start-error.ts'
import type { Home } from './home-folder.ts'

const Passwords = z.object({ owner: z.string().min(1), app: z.string().min(1), system: z.string().min(1) })
export type Passwords = z.output<typeof Passwords>

export function passwordFile({ folder }: Pick<Home, 'folder'>): string {
  return join(folder, 'passwords.json')
}

/** The passwords of the cluster's roles, made when they are first needed; for this process's user alone. */
export function openPasswords(home: Home): Passwords {
  const file = passwordFile(home)
  if (!existsSync(file)) makePasswords(file)
  // A copy of the folder may have come with other rights.
  chmodSync(file, 0o600)
  const parsed = Passwords.safeParse(parse(readFileSync(file, 'utf8')))
  if (parsed.success) return parsed.data
  throw new StartError(`The file ${file} does not hold the passwords of the database. ${HOW_TO_RESET}`)
}

export const HOW_TO_RESET =
  'Restore it from where the data folder came from, or remove it and put the line "local all all trust" into ' +
  'data/pg_hba.conf beside it: the next start makes new passwords.'

/** The first of several processes decides: a link, unlike a write, is there whole or not at all. */
function makePasswords(file: string): void {
  const draft = `${file}.${process.pid}`
  const made: Passwords = { owner: aPassword(), app: aPassword(), system: aPassword() }
  writeFileSync(draft, `${JSON.stringify(made)}\n`, { mode: 0o600 })
  try {
    linkSync(draft, file)
  } catch (error) {
    if (!existsSync(file)) throw error
  } finally {
    rmSync(draft)
  }
}

function aPassword(): string {
  return randomBytes(24).toString('base64url')
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
