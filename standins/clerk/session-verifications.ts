import { z } from 'zod'
import type { Call, Route } from './call.ts'
import { ClerkError } from './errors.ts'
import { Code, parse, parseId, TypedPassword } from './input.ts'
import { codeMail } from './mails.ts'
import { findSessionUser } from './signed-in-user.ts'
import { isPassword } from './passwords.ts'
import { sessionJson } from './resources.ts'
import { hasSecondFactor, proveSecondFactor, SecondFactor, secondFactorsJson } from './second-factors.ts'
import { saveVerification, type SessionRow, type SessionVerification } from './session-store.ts'
import type { UserRow } from './user-store.ts'
import { newVerification, tryCode, verificationJson } from './verification.ts'

const path = '/v1/client/sessions/:id/verify'
const MOST_WRONG_TRIES = 5

/** Reverification of a signed-in user. */
export const sessionVerificationRoutes: Route[] = [
  { method: 'POST', path, handle: begin },
  { method: 'POST', path: `${path}/prepare_first_factor`, handle: prepare },
  { method: 'POST', path: `${path}/attempt_first_factor`, handle: attemptFirst },
  { method: 'POST', path: `${path}/attempt_second_factor`, handle: attemptSecond },
]

const Level = z.enum(['first_factor', 'second_factor', 'multi_factor'])

/** Who has no second factor proves the first in its place. */
async function begin(call: Call) {
  const { session, user } = await findSessionUser(call, parseId(call.params))
  const { level } = parse(z.object({ level: Level.default('first_factor') }), call.body)
  const status = level === 'second_factor' && hasSecondFactor(user) ? 'needs_second_factor' : 'needs_first_factor'
  const verification: SessionVerification = { level, status, mailed: null, wrongTries: 0 }
  return answer(call, await saveVerification(call.db, session, { verification }), user)
}

async function prepare(call: Call) {
  const { session, user, verification } = await findBegun(call, 'needs_first_factor')
  parse(z.object({ strategy: z.literal('email_code', 'strategy_for_user_invalid') }), call.body)
  const mailed = newVerification('email_code')
  call.outbox.push(codeMail(user.email_address, mailed))
  return answer(call, await saveVerification(call.db, session, { verification: { ...verification, mailed } }), user)
}

const FirstFactor = z.discriminatedUnion(
  'strategy',
  [
    z.object({ strategy: z.literal('password'), password: TypedPassword }),
    z.object({ strategy: z.literal('email_code'), code: Code }),
  ],
  'strategy_for_user_invalid',
)

async function attemptFirst(call: Call) {
  const begun = await findBegun(call, 'needs_first_factor')
  const factor = parse(FirstFactor, call.body)
  if (factor.strategy === 'password') {
    if (!(await isPassword(factor.password, begun.user.password_hash))) return refuse(call, begun)
  } else await proveCode(call, begun, factor.code)
  const isMore = begun.verification.level === 'multi_factor' && hasSecondFactor(begun.user)
  const verification = { ...begun.verification, status: isMore ? 'needs_second_factor' : 'complete' } as const
  const proven = await saveVerification(call.db, begun.session, { verification, first_factor_at: new Date() })
  return answer(call, proven, begun.user)
}

async function proveCode({ db }: Call, { session, verification }: Begun, code: string): Promise<void> {
  if (!verification.mailed) throw new ClerkError('verification_missing', 'code')
  const [mailed, refusal] = tryCode(verification.mailed, code)
  await saveVerification(db, session, { verification: { ...verification, mailed } })
  if (refusal) throw new ClerkError(refusal, 'code')
}

async function attemptSecond(call: Call) {
  const begun = await findBegun(call, 'needs_second_factor')
  await proveSecondFactor(call.db, begun.user, parse(SecondFactor, call.body))
  const verification = { ...begun.verification, status: 'complete' } as const
  const proven = await saveVerification(call.db, begun.session, { verification, second_factor_at: new Date() })
  return answer(call, proven, begun.user)
}

async function refuse({ db }: Call, { session, verification }: Begun) {
  const wrongTries = verification.wrongTries + 1
  await saveVerification(db, session, { verification: { ...verification, wrongTries } })
  throw new ClerkError('form_password_incorrect', 'password')
}

interface Begun {
  session: SessionRow
  user: UserRow
  verification: SessionVerification
}

async function findBegun(call: Call, status: SessionVerification['status']): Promise<Begun> {
  const { session, user } = await findSessionUser(call, parseId(call.params))
  const { verification } = session
  if (verification?.status !== status) throw new ClerkError('verification_missing')
  if (verification.wrongTries >= MOST_WRONG_TRIES) throw new ClerkError('verification_failed')
  return { session, user, verification }
}

async function answer(call: Call, session: SessionRow, user: UserRow) {
  const { level, status, mailed } = session.verification ?? { level: 'first_factor', status: null, mailed: null }
  return {
    object: 'session_reverification',
    id: session.id.replace('sess_', 'sver_'),
    status,
    level,
    session: await sessionJson(call, session),
    supported_first_factors: firstFactorsJson(user),
    supported_second_factors: secondFactorsJson(user),
    first_factor_verification: mailed && verificationJson(mailed),
    second_factor_verification: null,
  }
}

function firstFactorsJson({ password_hash, email_address_id, email_address }: UserRow) {
  const byCode = { strategy: 'email_code', email_address_id, safe_identifier: email_address, primary: true }
  return [...(password_hash ? [{ strategy: 'password' }] : []), byCode]
}
