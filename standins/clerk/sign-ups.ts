import { z } from 'zod'
import { missingFields, signUpJson } from './attempt-resources.ts'
import { ensureClient, refuseSignedIn, type Call, type Route } from './call.ts'
import { ClerkError } from './errors.ts'
import { Code, EmailAddress, Name, parse, parseId, Password } from './input.ts'
import { codeMail } from './mails.ts'
import { hashPassword } from './passwords.ts'
import { startSession } from './sessions.ts'
import { findSignUp, insertSignUp, saveSignUp, type SignUpRow } from './sign-up-store.ts'
import { findUserByEmail, insertUser } from './user-store.ts'
import { newVerification, tryCode } from './verification.ts'

const path = '/v1/client/sign_ups'

export const signUpRoutes: Route[] = [
  { method: 'POST', path, handle: create },
  { method: 'GET', path: `${path}/:id`, handle: async (call) => signUpJson(await findOwnSignUp(call)) },
  { method: 'PATCH', path: `${path}/:id`, handle: update },
  { method: 'POST', path: `${path}/:id/prepare_verification`, handle: prepare },
  { method: 'POST', path: `${path}/:id/attempt_verification`, handle: attempt },
]

const SignUpFields = z.object({
  email_address: EmailAddress.optional(),
  password: Password.optional(),
  first_name: Name.optional(),
  last_name: Name.optional(),
})
type SignUpFields = z.output<typeof SignUpFields>

async function create(call: Call) {
  await refuseSignedIn(call)
  const fields = parse(SignUpFields, call.body)
  await refuseTaken(call, fields)
  const { id } = await ensureClient(call)
  return signUpJson(await saveSignUp(call.db, await changed(await insertSignUp(call.db, id), fields)))
}

async function update(call: Call) {
  const signUp = await findUnfinished(call)
  const fields = parse(SignUpFields, call.body)
  await refuseTaken(call, fields)
  return signUpJson(await settle(call, await saveSignUp(call.db, await changed(signUp, fields))))
}

async function prepare(call: Call) {
  const signUp = await findUnfinished(call)
  const { strategy } = parse(z.object({ strategy: z.literal('email_code') }), call.body)
  if (!signUp.email_address) throw new ClerkError('form_param_nil', 'email_address')
  if (signUp.verification?.verified) throw new ClerkError('verification_already_verified')
  const verification = newVerification(strategy)
  call.outbox.push(codeMail(signUp.email_address, verification))
  return signUpJson(await saveSignUp(call.db, { ...signUp, verification }))
}

async function attempt(call: Call) {
  const signUp = await findUnfinished(call)
  const { code } = parse(z.object({ strategy: z.literal('email_code'), code: Code }), call.body)
  if (!signUp.verification) throw new ClerkError('verification_missing')
  const [verification, refusal] = tryCode(signUp.verification, code)
  const tried = await saveSignUp(call.db, { ...signUp, verification })
  if (refusal) throw new ClerkError(refusal, 'code')
  return signUpJson(await settle(call, tried))
}

/** Becomes a user and a session once nothing is missing and the address is verified; never before. */
async function settle(call: Call, signUp: SignUpRow): Promise<SignUpRow> {
  const { email_address, verification } = signUp
  if (!email_address || !verification?.verified || missingFields(signUp).length > 0) return signUp
  const user = await insertUser(call.db, { ...signUp, email_address })
  if (!user) throw new ClerkError('form_identifier_exists', 'email_address')
  const session = await startSession(call, user)
  return saveSignUp(call.db, {
    ...signUp,
    password_hash: null,
    created_user_id: user.id,
    created_session_id: session.id,
  })
}

async function changed(signUp: SignUpRow, { password, ...fields }: SignUpFields): Promise<SignUpRow> {
  const isOtherAddress = fields.email_address !== undefined && fields.email_address !== signUp.email_address
  return {
    ...signUp,
    email_address: fields.email_address ?? signUp.email_address,
    first_name: fields.first_name ?? signUp.first_name,
    last_name: fields.last_name ?? signUp.last_name,
    password_hash: password === undefined ? signUp.password_hash : await hashPassword(password),
    verification: isOtherAddress ? null : signUp.verification,
  }
}

async function refuseTaken({ db }: Call, { email_address }: SignUpFields): Promise<void> {
  if (email_address && (await findUserByEmail(db, email_address))) {
    throw new ClerkError('form_identifier_exists', 'email_address')
  }
}

async function findOwnSignUp({ db, client, params }: Call): Promise<SignUpRow> {
  const id = parseId(params)
  const signUp = client && (await findSignUp(db, client.id, id))
  if (!signUp) throw new ClerkError('resource_not_found')
  return signUp
}

async function findUnfinished(call: Call): Promise<SignUpRow> {
  const signUp = await findOwnSignUp(call)
  if (signUp.created_session_id) throw new ClerkError('verification_already_verified')
  return signUp
}
