import { z } from 'zod'
import type { Call, Route } from './call.ts'
import { ClerkError } from './errors.ts'
import { Code, parse, parseId } from './input.ts'
import { codeMail } from './mails.ts'
import { emailAddressJson } from './resources.ts'
import { findSignedInUser } from './signed-in-user.ts'
import { lockUser, saveAddressProof, type UserRow } from './user-store.ts'
import { newVerification, tryCode } from './verification.ts'

const path = '/v1/me/email_addresses/:id'

/** How a signed-in person verifies the address that they have. */
export const emailAddressRoutes: Route[] = [
  { method: 'POST', path: `${path}/prepare_verification`, handle: prepare },
  { method: 'POST', path: `${path}/attempt_verification`, handle: attempt },
  { method: 'POST', path: '/dev/unverify-address', bare: true, handle: unverify },
]

async function prepare(call: Call) {
  const user = await findOwner(call)
  const { strategy } = parse(z.object({ strategy: z.literal('email_code') }), call.body)
  const email_verification = newVerification(strategy)
  call.outbox.push(codeMail(user.email_address, email_verification))
  return save(call, { ...user, email_verification })
}

async function attempt(call: Call) {
  const user = await findOwner(call)
  const { code } = parse(z.object({ code: Code }), call.body)
  if (!user.email_verification) throw new ClerkError('verification_missing')
  const [email_verification, refusal] = tryCode(user.email_verification, code)
  const tried = await save(call, { ...user, email_verification, email_verified: refusal === null })
  if (refusal) throw new ClerkError(refusal, 'code')
  return tried
}

/** As an instance of Clerk's that lets people in before they have verified their address. */
async function unverify(call: Call) {
  const { user } = await findSignedInUser(call)
  return save(call, { ...user, email_verified: false, email_verification: null })
}

async function findOwner(call: Call): Promise<UserRow> {
  const { user } = await findSignedInUser(call)
  if (user.email_address_id !== parseId(call.params)) throw new ClerkError('resource_not_found')
  const locked = await lockUser(call.db, user.id)
  if (locked.email_verified) throw new ClerkError('verification_already_verified')
  return locked
}

async function save({ db }: Call, user: UserRow) {
  await saveAddressProof(db, user)
  return emailAddressJson(user)
}
