import type { UserJSON } from '@clerk/fastify'
import sql from 'sql-template-tag'
import { signInJson, signUpJson } from './attempt-resources.ts'
import type { Call } from './call.ts'
import { reloadClient } from './client-store.ts'
import { hasSecondFactor, isLockedOut } from './second-factors.ts'
import { ACTIVE, listSessions, type SessionRow } from './session-store.ts'
import { factorAge, sessionToken } from './session-token.ts'
import { findUnfinishedSignIn } from './sign-in-store.ts'
import { findUnfinishedSignUp } from './sign-up-store.ts'
import { findUser, type UserRow } from './user-store.ts'
import { verificationJson } from './verification.ts'

/** A user as the Backend API tells it, with what is not for browsers. */
export function backendUserJson(user: UserRow) {
  return {
    ...userJson(user),
    private_metadata: {},
    banned: false,
    locked: isLockedOut(user),
    lockout_expires_in_seconds: null,
    verification_attempts_remaining: null,
    last_active_at: null,
  } satisfies Omit<UserJSON, 'email_addresses'>
}

export function userJson(user: UserRow) {
  return {
    object: 'user' as const,
    id: user.id,
    external_id: null,
    username: null,
    first_name: user.first_name,
    last_name: user.last_name,
    // An address of Clerk's own would be fetched from the Internet; without one, initials are shown.
    image_url: '',
    has_image: false,
    locale: null,
    primary_email_address_id: user.email_address_id,
    primary_phone_number_id: null,
    primary_web3_wallet_id: null,
    email_addresses: [emailAddressJson(user)],
    phone_numbers: [],
    web3_wallets: [],
    external_accounts: [],
    enterprise_accounts: [],
    passkeys: [],
    organization_memberships: [],
    password_enabled: user.password_hash !== null,
    password_last_updated_at: null,
    totp_enabled: user.totp_verified,
    backup_code_enabled: user.backup_code_hashes.length > 0,
    two_factor_enabled: hasSecondFactor(user),
    public_metadata: {},
    unsafe_metadata: {},
    create_organization_enabled: false,
    create_organizations_limit: null,
    delete_self_enabled: true,
    legal_accepted_at: null,
    last_sign_in_at: user.last_sign_in_at?.getTime() ?? null,
    created_at: user.created_at.getTime(),
    updated_at: user.updated_at.getTime(),
  }
}

export async function sessionJson({ db, keys, origin }: Call, session: SessionRow) {
  const user = await findUser(db, session.user_id)
  const isActive = session.status === 'active'
  return {
    ...sessionFactsJson(session),
    factor_verification_age: factorAge(session),
    last_active_token: isActive ? { object: 'token', jwt: sessionToken(keys, session, origin) } : null,
    tasks: null,
    user: user && userJson(user),
    public_user_data: user && {
      user_id: user.id,
      identifier: user.email_address,
      first_name: user.first_name,
      last_name: user.last_name,
      image_url: '',
      has_image: false,
    },
  }
}

/** What both APIs tell of a session. */
export function sessionFactsJson(session: SessionRow) {
  const isOver = session.status === 'active' && session.expire_at.getTime() <= Date.now()
  return {
    object: 'session',
    id: session.id,
    client_id: session.client_id,
    user_id: session.user_id,
    status: isOver ? 'expired' : session.status,
    last_active_organization_id: null,
    actor: null,
    last_active_at: session.last_active_at.getTime(),
    expire_at: session.expire_at.getTime(),
    abandon_at: session.abandon_at.getTime(),
    created_at: session.created_at.getTime(),
    updated_at: session.updated_at.getTime(),
  } as const
}

/** All that the browser knows of itself; null for one that has never begun to sign in. */
export async function clientJson(call: Call) {
  const client = call.client && (await reloadClient(call.db, call.client))
  if (!client) return null
  const sessions = await listSessions(call.db, sql`client_id = ${client.id} and ${ACTIVE}`)
  const signUp = await findUnfinishedSignUp(call.db, client.id)
  const signIn = await findUnfinishedSignIn(call.db, client.id)
  return {
    object: 'client',
    id: client.id,
    sessions: await Promise.all(sessions.map((session) => sessionJson(call, session))),
    sign_up: signUp && signUpJson(signUp),
    sign_in: signIn && (await signInJson(call.db, signIn)),
    last_active_session_id: client.last_active_session_id,
    last_authentication_strategy: null,
    captcha_bypass: true,
    cookie_expires_at: null,
    created_at: client.created_at.getTime(),
    updated_at: client.updated_at.getTime(),
  }
}

export function emailAddressJson({ email_address_id, email_address, email_verified, email_verification }: UserRow) {
  const unverified = email_verification ? verificationJson(email_verification) : NOT_BEGUN
  return {
    object: 'email_address',
    id: email_address_id,
    email_address,
    linked_to: [],
    verification: email_verified ? VERIFIED : unverified,
    matches_sso_connection: false,
  }
}

const VERIFIED = { status: 'verified', strategy: 'email_code', attempts: null, expire_at: null }
const NOT_BEGUN = { status: 'unverified', strategy: null, attempts: null, expire_at: null }
