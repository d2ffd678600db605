import { insertClient, type ClientRow } from './client-store.ts'
import type { Db } from './database.ts'
import { ClerkError } from './errors.ts'
import type { Keys } from './keys.ts'
import { ACTIVE, findSession, type SessionRow } from './session-store.ts'
import sql from 'sql-template-tag'

export interface Mail {
  to: string
  subject: string
  text: string
}

/** One call of the Frontend API, in its transaction. */
export interface Call {
  readonly db: Db
  readonly keys: Keys
  /** The calling page's origin, from the request's address: browsers do not always send an origin. */
  readonly origin: string
  readonly params: unknown
  readonly query: unknown
  readonly body: unknown
  readonly userAgent: string
  readonly ipAddress: string
  /** The browser, once it has begun to sign up or in. */
  client: ClientRow | null
  /** The secret of a browser that this call makes known. */
  newCookie: string | null
  /** Sent once the call is committed. */
  readonly outbox: Mail[]
}

export interface Route {
  method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE'
  path: string
  /** Answered as it is, without the envelope that carries the client's new state. */
  bare?: true
  handle: (call: Call) => Promise<unknown>
}

/** The browser that calls, made known if it was not. */
export async function ensureClient(call: Call): Promise<ClientRow> {
  if (call.client) return call.client
  const { client, cookie } = await insertClient(call.db)
  call.client = client
  call.newCookie = cookie
  return client
}

/** An active session of the browser that calls; anybody else's does not authenticate. */
export async function requireSession({ db, client }: Call, id: string | null): Promise<SessionRow> {
  const session =
    client && id ? await findSession(db, sql`id = ${id} and client_id = ${client.id} and ${ACTIVE}`) : null
  if (!session) throw new ClerkError('authentication_invalid')
  return session
}

/** A browser has one session at a time. */
export async function refuseSignedIn({ db, client }: Call): Promise<void> {
  if (client && (await findSession(db, sql`client_id = ${client.id} and ${ACTIVE}`))) {
    throw new ClerkError('session_exists')
  }
}
