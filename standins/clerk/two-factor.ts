import { z } from 'zod'
import type { Call, Route } from './call.ts'
import { ClerkError } from './errors.ts'
import { newId } from './ids.ts'
import { Code, parse } from './input.ts'
import { findSignedInUser } from './signed-in-user.ts'
import { requireRecentSignIn } from './recent-sign-in.ts'
import { hasSecondFactor, replaceBackupCodes, useTotp } from './second-factors.ts'
import { newTotpSecret, totpUri } from './totp.ts'
import { findUser, lockUser, saveSecondFactors, type UserRow } from './user-store.ts'

/** What a signed-in person does about two-factor sign-in. */
export const twoFactorRoutes: Route[] = [
  { method: 'POST', path: '/v1/me/totp', handle: begin },
  { method: 'POST', path: '/v1/me/totp/attempt_verification', handle: confirm },
  { method: 'DELETE', path: '/v1/me/totp', handle: turnOff },
  { method: 'POST', path: '/v1/me/backup_codes/', handle: renewBackupCodes },
]

const NONE = { totp_secret: null, totp_verified: false, totp_used_step: 0, backup_code_hashes: [] }

async function begin(call: Call) {
  const user = await requireSure(call)
  if (hasSecondFactor(user)) throw new ClerkError('verification_already_verified')
  const begun = { ...user, ...NONE, totp_secret: newTotpSecret() }
  await saveSecondFactors(call.db, begun)
  return { ...totpJson(begun), secret: begun.totp_secret, uri: totpUri(begun.totp_secret, user.email_address) }
}

/** From here on signing in asks for the second factor. */
async function confirm(call: Call) {
  const own = await findSignedInUser(call)
  const user = await lockUser(call.db, own.user.id)
  if (!user.totp_secret) throw new ClerkError('verification_missing', 'code')
  if (hasSecondFactor(user)) throw new ClerkError('verification_already_verified')
  const { code } = parse(z.object({ code: Code }), call.body)
  if (!(await useTotp(call.db, user, code))) throw new ClerkError('form_code_incorrect', 'code')
  const used = (await findUser(call.db, user.id)) ?? user
  const confirmed = { ...used, totp_verified: true }
  const backup_codes = await replaceBackupCodes(call.db, confirmed)
  return { ...totpJson(confirmed), backup_codes }
}

async function turnOff(call: Call) {
  const user = await requireSure(call)
  if (!hasSecondFactor(user)) throw new ClerkError('resource_not_found')
  await saveSecondFactors(call.db, { ...user, ...NONE })
  return { object: 'totp', id: totpId(user), deleted: true }
}

async function renewBackupCodes(call: Call) {
  const user = await requireSure(call)
  if (!hasSecondFactor(user)) throw new ClerkError('resource_not_found')
  const codes = await replaceBackupCodes(call.db, user)
  return { object: 'backup_code', id: newId('backup_code'), codes, created_at: Date.now(), updated_at: Date.now() }
}

/** Who has stolen a session can neither turn the second factor off nor set up one of their own. */
async function requireSure(call: Call): Promise<UserRow> {
  const { session, user } = await findSignedInUser(call)
  requireRecentSignIn(session)
  return lockUser(call.db, user.id)
}

function totpJson(user: UserRow) {
  return {
    object: 'totp',
    id: totpId(user),
    verified: user.totp_verified,
    backup_codes: null,
    created_at: user.created_at.getTime(),
    updated_at: Date.now(),
  }
}

function totpId({ id }: UserRow): string {
  return id.replace('user_', 'totp_')
}
