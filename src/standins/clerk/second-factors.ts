import { randomInt } from 'node:crypto'
import { z } from 'zod'
import type { Db } from './database.ts'
import { hashSecret } from './ids.ts'
import { Code } from './input.ts'
import { matchTotp } from './totp.ts'
import { saveSecondFactors, type UserRow } from './user-store.ts'

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

/** Whether the code is right. It is used up by that: neither an app's nor a backup code opens twice. */
export async function isSecondFactor(db: Db, user: UserRow, { strategy, code }: SecondFactor): Promise<boolean> {
  if (!hasSecondFactor(user)) return false
  return strategy === 'totp' ? useTotp(db, user, code) : useBackupCode(db, user, code)
}

/** The same for an app that is only being set up. */
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
