import type { Db } from './database.ts'
import { secondFactorsJson } from './second-factors.ts'
import type { SignInRow } from './sign-in-store.ts'
import type { SignUpRow } from './sign-up-store.ts'
import { findUser, type UserRow } from './user-store.ts'
import { verificationJson } from './verification.ts'

const REQUIRED_FIELDS = ['email_address', 'password'] as const

export function signUpJson(signUp: SignUpRow) {
  const isVerified = signUp.verification?.verified ?? false
  return {
    object: 'sign_up',
    id: signUp.id,
    status: signUp.created_session_id ? 'complete' : 'missing_requirements',
    required_fields: REQUIRED_FIELDS,
    optional_fields: ['first_name', 'last_name'],
    missing_fields: signUp.created_user_id ? [] : missingFields(signUp),
    unverified_fields: signUp.email_address && !isVerified ? ['email_address'] : [],
    verifications: {
      email_address: signUp.email_address ? emailVerificationJson(signUp) : null,
      phone_number: null,
      web3_wallet: null,
      external_account: null,
    },
    username: null,
    first_name: signUp.first_name,
    last_name: signUp.last_name,
    email_address: signUp.email_address,
    phone_number: null,
    web3_wallet: null,
    external_account: null,
    external_account_strategy: null,
    has_password: signUp.created_user_id !== null || signUp.password_hash !== null,
    unsafe_metadata: {},
    created_session_id: signUp.created_session_id,
    created_user_id: signUp.created_user_id,
    abandon_at: signUp.abandon_at.getTime(),
    legal_accepted_at: null,
    locale: null,
  }
}

export function missingFields(signUp: SignUpRow): string[] {
  return REQUIRED_FIELDS.filter((field) => !signUp[field === 'password' ? 'password_hash' : field])
}

export async function signInJson(db: Db, signIn: SignInRow) {
  const user = await findUser(db, signIn.user_id)
  return {
    object: 'sign_in',
    id: signIn.id,
    status: signIn.status,
    identifier: user?.email_address ?? null,
    supported_identifiers: ['email_address'],
    supported_first_factors: user ? firstFactors(user) : [],
    supported_second_factors: user && signIn.status === 'needs_second_factor' ? secondFactorsJson(user) : null,
    first_factor_verification: signIn.verification && verificationJson(signIn.verification),
    second_factor_verification: null,
    created_session_id: signIn.created_session_id,
    user_data: user && { first_name: user.first_name, last_name: user.last_name, image_url: '', has_image: false },
  }
}

function firstFactors(user: UserRow) {
  const byCode = { email_address_id: user.email_address_id, safe_identifier: user.email_address, primary: true }
  return [
    ...(user.password_hash ? [{ strategy: 'password' }] : []),
    { strategy: 'email_code', ...byCode },
    { strategy: 'reset_password_email_code', ...byCode },
  ]
}

/** Without a strategy until a code was sent: clerk-js asks for the code only then. */
function emailVerificationJson({ verification }: SignUpRow) {
  const progress = verification
    ? verificationJson(verification)
    : { status: 'unverified', strategy: null, attempts: null, expire_at: null }
  return {
    ...progress,
    next_action: nextAction(verification),
    supported_strategies: ['email_code'],
  }
}

function nextAction(verification: SignUpRow['verification']): string {
  if (!verification) return 'needs_prepare'
  return verification.verified ? '' : 'needs_attempt'
}
