import { randomInt } from 'node:crypto'
import { z } from 'zod'
import type { Db } from './database.ts'
import { ClerkError } from './errors.ts'
import { hashSecret } from './ids.ts'
import { Code } from './input.ts'
import { matchTotp } from './totp.ts'
import { lockUser, saveSecondFactors, saveWrongCodes, type UserRow } from './user-store.ts'

const BACKUP_CODES = 10
const BACKUP_CODE_LENGTH = 10
const LETTERS = 'abcdefghijkmnpqrstuvwxyz23456789'

export const SecondFactor = z.object({
  strategy: z.enum(['totp', 'backup_code'], 'strategy_for_user_invalid'),
  code: Code.transform((code) => code.toLowerCase().replaceAll(/[\s-]/g, '')),
})
type SecondFactor = z.output<typeof SecondFactor>

/** Whether signing in takes more than a password or a mailed code. */
export function hasSecondFactor({ totp_verified }: UserRow): boolean {
  return totp_verified
}

export function secondFactorsJson(user: UserRow) {
  if (!hasSecondFactor(user)) return null
  return [{ strategy: 'totp' }, ...(user.backup_code_hashes.length > 0 ? [{ strategy: 'backup_code' }] : [])]
}

const MOST_WRONG_CODES = 10
const LOCKED_MINUTES = 60

/**
 * Uses up a right code: neither an app's nor a backup code opens twice. Wrong ones count over all sign-ins of the user,
 * who is then locked, as with Clerk's defaults.
 */
export async function proveSecondFactor(db: Db, { id }: UserRow, factor: SecondFactor): Promise<void> {
  const user = await lockUser(db, id)
  if (isLockedOut(user)) throw new ClerkError('user_locked')
  if (await isSecondFactor(db, user, factor)) return saveWrongCodes(db, id, { wrong_codes: 0, locked_until: null })
  const isLast = user.wrong_codes + 1 >= MOST_WRONG_CODES
  await saveWrongCodes(
    db,
    id,
    isLast
      ? { wrong_codes: 0, locked_until: new Date(Date.now() + LOCKED_MINUTES * 60_000) }
      : { wrong_codes: user.wrong_codes + 1, locked_until: null },
  )
  throw new ClerkError('form_code_incorrect', 'code')
}

export function isLockedOut({ locked_until }: UserRow): boolean {
  return locked_until !== null && locked_until.getTime() > Date.now()
}

async function isSecondFactor(db: Db, user: UserRow, { strategy, code }: SecondFactor): Promise<boolean> {
  if (!hasSecondFactor(user)) return false
  return strategy === 'totp' ? useTotp(db, user, code) : useBackupCode(db, user, code)
}

/** Whether it is the app's code. Also for an app being set up; marks the code as used. */
export async function useTotp(db: Db, user: UserRow, code: string): Promise<boolean> {
  const { totp_secret, totp_used_step: usedStep } = user
  const step = totp_secret === null ? undefined : matchTotp(totp_secret, code, { now: Date.now(), usedStep })
  if (step === undefined) return false
  await saveSecondFactors(db, { ...user, totp_used_step: step })
  return true
}

async function useBackupCode(db: Db, user: UserRow, code: string): Promise<boolean> {
  const hash = hashSecret(code)
  if (!user.backup_code_hashes.includes(hash)) return false
  const backup_code_hashes = user.backup_code_hashes.filter((one) => one !== hash)
  await saveSecondFactors(db, { ...user, backup_code_hashes })
  return true
}

/** New codes in place of the user's earlier ones. Only their hashes are kept. */
export async function replaceBackupCodes(db: Db, user: UserRow): Promise<string[]> {
  const codes = Array.from({ length: BACKUP_CODES }, newBackupCode)
  await saveSecondFactors(db, { ...user, backup_code_hashes: codes.map(hashSecret) })
  return codes
}

function newBackupCode(): string {
  return Array.from({ length: BACKUP_CODE_LENGTH }, () => LETTERS.charAt(randomInt(LETTERS.length))).join('')
}
