import sql from 'sql-template-tag'
import { z } from 'zod'
import { signInJson } from './attempt-resources.ts'
import { ensureClient, refuseSignedIn, type Call, type Route } from './call.ts'
import { ClerkError } from './errors.ts'
import { Code, EmailAddress, Flag, parse, parseId, Password, TypedPassword } from './input.ts'
import { codeMail } from './mails.ts'
import { hashPassword, isPassword } from './passwords.ts'
import { hasSecondFactor, proveSecondFactor, SecondFactor } from './second-factors.ts'
import { closeSessions, type SessionRow } from './session-store.ts'
import { startSession } from './sessions.ts'
import { findSignIn, insertSignIn, saveSignIn, type SignInRow } from './sign-in-store.ts'
import { findUser, findUserByEmail, updateUser, type UserRow } from './user-store.ts'
import { CodeStrategy, newVerification, tryCode } from './verification.ts'

const path = '/v1/client/sign_ins'
const MOST_WRONG_PASSWORDS = 5
const MOST_WRONG_CODES = 5

export const signInRoutes: Route[] = [
  { method: 'POST', path, handle: create },
  { method: 'GET', path: `${path}/:id`, handle: async (call) => signInJson(call.db, await findOwnSignIn(call)) },
  { method: 'POST', path: `${path}/:id/prepare_first_factor`, handle: prepare },
  { method: 'POST', path: `${path}/:id/attempt_first_factor`, handle: attempt },
  { method: 'POST', path: `${path}/:id/attempt_second_factor`, handle: attemptSecond },
  { method: 'POST', path: `${path}/:id/reset_password`, handle: resetPassword },
]

const Strategy = z.enum(['password', ...CodeStrategy.options], 'strategy_for_user_invalid')
const NewSignIn = z.object({
  identifier: EmailAddress,
  password: TypedPassword.optional(),
  strategy: Strategy.default('password'),
})

/** With the password as well, or with the address alone: the factors then follow one by one. */
async function create(call: Call) {
  await refuseSignedIn(call)
  const { identifier, password, strategy } = parse(NewSignIn, call.body)
  const user = await findUserByEmail(call.db, identifier)
  if (!user) throw new ClerkError('form_identifier_not_found', 'identifier')
  if (password !== undefined) await requirePassword(user, password)
  const signIn = await insertSignIn(call.db, (await ensureClient(call)).id, user.id)
  return signInJson(call.db, await begin(call, signIn, { user, strategy, isSure: password !== undefined }))
}

interface Beginning {
  user: UserRow
  strategy: z.output<typeof Strategy>
  isSure: boolean
}

async function begin(call: Call, signIn: SignInRow, { user, strategy, isSure }: Beginning): Promise<SignInRow> {
  if (isSure) return complete(call, signIn, user)
  return strategy === 'password' ? signIn : sendCode(call, signIn, { user, strategy })
}

async function prepare(call: Call) {
  const { signIn, user } = await findUnfinished(call)
  refuseSecondStep(signIn)
  const { strategy } = parse(z.object({ strategy: CodeStrategy }), call.body)
  return signInJson(call.db, await sendCode(call, signIn, { user, strategy }))
}

async function sendCode(call: Call, signIn: SignInRow, { user, strategy }: { user: UserRow; strategy: CodeStrategy }) {
  const verification = newVerification(strategy)
  call.outbox.push(codeMail(user.email_address, verification))
  return saveSignIn(call.db, { ...signIn, status: 'needs_first_factor', verification })
}

const FirstFactor = z.discriminatedUnion(
  'strategy',
  [
    z.object({ strategy: z.literal('password'), password: TypedPassword }),
    z.object({ strategy: CodeStrategy, code: Code }),
  ],
  'strategy_for_user_invalid',
)

async function attempt(call: Call) {
  const found = await findUnfinished(call)
  refuseSecondStep(found.signIn)
  const factor = parse(FirstFactor, call.body)
  const proven =
    factor.strategy === 'password'
      ? await provePassword(call, found, factor.password)
      : await proveCode(call, found.signIn, factor)
  if (factor.strategy === 'reset_password_email_code') {
    return signInJson(call.db, await saveSignIn(call.db, { ...proven, status: 'needs_new_password' }))
  }
  return signInJson(call.db, await complete(call, proven, found.user))
}

async function provePassword({ db }: Call, { signIn, user }: Found, password: string): Promise<SignInRow> {
  if (signIn.wrong_passwords >= MOST_WRONG_PASSWORDS) throw new ClerkError('verification_failed', 'password')
  if (await isPassword(password, user.password_hash)) return signIn
  await saveSignIn(db, { ...signIn, wrong_passwords: signIn.wrong_passwords + 1 })
  throw new ClerkError('form_password_incorrect', 'password')
}

interface TypedCode {
  strategy: CodeStrategy
  code: string
}

async function proveCode({ db }: Call, signIn: SignInRow, { strategy, code }: TypedCode): Promise<SignInRow> {
  if (signIn.verification?.strategy !== strategy) throw new ClerkError('verification_missing', 'code')
  const [verification, refusal] = tryCode(signIn.verification, code)
  const tried = await saveSignIn(db, { ...signIn, verification })
  if (refusal) throw new ClerkError(refusal, 'code')
  return tried
}

const NewPassword = z.object({ password: Password, sign_out_of_other_sessions: Flag.default(false) })

async function resetPassword(call: Call) {
  const { signIn, user } = await findUnfinished(call)
  if (signIn.status !== 'needs_new_password') throw new ClerkError('verification_missing')
  const { password, sign_out_of_other_sessions } = parse(NewPassword, call.body)
  await updateUser(call.db, user.id, { password_hash: await hashPassword(password) })
  if (sign_out_of_other_sessions) await closeSessions(call.db, 'revoked', sql`user_id = ${user.id}`)
  return signInJson(call.db, await complete(call, signIn, user))
}

/** The first factor is proven: signed in, unless a second one is set up. */
async function complete(call: Call, signIn: SignInRow, user: UserRow): Promise<SignInRow> {
  await refuseSignedIn(call)
  if (hasSecondFactor(user)) return saveSignIn(call.db, { ...signIn, status: 'needs_second_factor' })
  return open(call, signIn, await startSession(call, user))
}

async function attemptSecond(call: Call) {
  const { signIn, user } = await findUnfinished(call)
  if (signIn.status !== 'needs_second_factor') throw new ClerkError('verification_missing', 'code')
  if (signIn.wrong_codes >= MOST_WRONG_CODES) throw new ClerkError('verification_failed', 'code')
  // Counted beforehand: a refusal is kept with what its call wrote.
  const tried = await saveSignIn(call.db, { ...signIn, wrong_codes: signIn.wrong_codes + 1 })
  await proveSecondFactor(call.db, user, parse(SecondFactor, call.body))
  await refuseSignedIn(call)
  return signInJson(call.db, await open(call, tried, await startSession(call, user, { bySecondFactor: true })))
}

// The first factor has been proven: another way to prove it is no way around the second.
function refuseSecondStep({ status }: SignInRow): void {
  if (status === 'needs_second_factor') throw new ClerkError('verification_already_verified')
}

function open(call: Call, signIn: SignInRow, session: SessionRow): Promise<SignInRow> {
  return saveSignIn(call.db, { ...signIn, status: 'complete', created_session_id: session.id })
}

async function requirePassword(user: UserRow, password: string): Promise<void> {
  if (!(await isPassword(password, user.password_hash))) throw new ClerkError('form_password_incorrect', 'password')
}

interface Found {
  signIn: SignInRow
  user: UserRow
}

async function findUnfinished(call: Call): Promise<Found> {
  const signIn = await findOwnSignIn(call)
  if (signIn.status === 'complete') throw new ClerkError('verification_already_verified')
  const user = await findUser(call.db, signIn.user_id)
  if (!user) throw new ClerkError('resource_not_found')
  return { signIn, user }
}

async function findOwnSignIn({ db, client, params }: Call): Promise<SignInRow> {
  const id = parseId(params)
  const signIn = client && (await findSignIn(db, client.id, id))
  if (!signIn) throw new ClerkError('resource_not_found')
  return signIn
}
