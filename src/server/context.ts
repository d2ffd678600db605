import type { ClerkClient } from '@clerk/fastify'
import type { EntityManager } from '@mikro-orm/postgresql'
import type { FastifyBaseLogger } from 'fastify'
import sql from 'sql-template-tag'
import type Stripe from 'stripe'
import { z } from 'zod'
import { accessOf, canExport, readOnlyRefusal, type SubscriptionState } from '#shared/domain/access.ts'
import { isScopeEnough, type KeyScope } from '#shared/domain/api-key.ts'
import type { ComplaintLimits } from '#shared/domain/complaint-rate.ts'
import { dayIn, type Day } from '#shared/domain/day.ts'
import type { MailLimits } from '#shared/domain/mail-limits.ts'
import { AppError } from '#shared/errors.ts'
import type { Actor } from './db/actor.ts'
import type { Database, Read, Write } from './db/database.ts'
import type { Circuit } from './outside/circuit.ts'
import type { FileStore } from './storage/file-store.ts'
import type { Limits } from './limits/limits.ts'
import type { Storage } from './limits/quotas.ts'
import type { SecurityLog } from './security/security-log.ts'
import type { Mailer } from './mail/mailer.ts'
import type { ProofSigner } from './security/signing-key.ts'

/** What the browser needs to reach the identity provider. */
export interface IdentityConfig {
  publishableKey: string
  /** Where the provider is served; absent with Clerk itself. */
  proxyUrl?: string
}

/** Minutes since the first and the second factor were verified; -1 for one that was not. */
export type FactorAge = readonly [first: number, second: number]

export interface VerifiedToken {
  userId: string
  expiresAt: Date
  /** Absent if the token does not say, as in Clerk's older ones. */
  factorAge?: FactorAge | undefined
}

/** The services outside TRAXX, and the clocks. Tests put their own here. */
export interface Services {
  /** What is asked of those that are away is refused at once. */
  circuits: readonly Circuit[]
  clerk: ClerkClient
  identityConfig: IdentityConfig
  verifyToken: (token: string, options?: { leewayMs: number }) => Promise<VerifiedToken>
  stripe: Stripe
  stripeWebhookSecret: string
  priceLookupKey: string
  mailer: Mailer
  /** Where the messages of the contact form go. */
  contactMail: string
  /** Signs proofs of what was sent. */
  proofSigner: ProofSigner
  /** The signing key of the mail provider's webhooks; absent without such a provider. */
  mailWebhookKey: string | undefined
  /** How many emails to customers may be sent on a day. */
  mailLimits: MailLimits
  /** How many complaints an account may have before its mail to customers is paused. */
  complaintLimits: ComplaintLimits
  /** TRAXX's public address, for links in emails. */
  publicUrl: string
  files: FileStore
  /** How much an account may store, and for how long history is kept. */
  storage: Storage
  now: () => Date
  /** Billing's clock; a local billing service's can be moved. */
  billingNow: () => Date
}

/** The signed-in person's account, as cached between requests. */
export interface Caller {
  id: number
  clerkUserId: string
  email: string
  /** As last read from the identity provider; empty if there is none. */
  name: string
  timeZone: string
  stripeCustomerId: string | null
  subscription: SubscriptionState | null
  /** The operator has suspended it: it can only be read. */
  isSuspended: boolean
}

/** Finds who sends a bearer token, and caches it as docs/decisions/0007 allows. */
export interface Callers {
  find(token: string | undefined): Promise<Caller | null>
  /** The same with the token's scope; records an API key's use and its address. @throws API_KEY_EXPIRED */
  identify(token: string | undefined, address: string): Promise<Identity>
  /** Milliseconds the token remains valid. */
  remainingMs(token: string): number
  /** The same for a session token that may have expired. Never gives access. */
  findPast(token: string | undefined): Promise<Caller | null>
  /** Reads the person's details from the identity provider again. @throws IDENTITY_UNAVAILABLE, NOT_SIGNED_IN */
  refresh(caller: Caller): Promise<Caller>
  /** Clears the cache after an account has changed. */
  forget(clerkUserId: string): void
}

export interface Identity {
  caller: Caller | null
  keyScope?: KeyScope | undefined
  /** Which API key it is. */
  keyId?: number | undefined
  factorAge?: FactorAge | undefined
}

export interface RequestContext {
  /** Its transactions name the actor. */
  db: Database
  /** Empty if nobody is signed in. */
  actor: Actor
  services: Services
  callers: Callers
  limits: Limits
  log: FastifyBaseLogger
  /** The log of what an operator needs to know in time: docs/security.md. */
  security: SecurityLog
  /** The browser's origin, one of those that TRAXX is served at. */
  origin: string
  caller: Caller | null
  /** The call comes with an API key, not from a signed-in person. */
  viaApiKey: boolean
  /** What that key may do. */
  keyScope?: KeyScope | undefined
  /** How long ago the person verified their factors, from the session token. */
  factorAge?: FactorAge | undefined
}

export interface AccountContext extends RequestContext {
  caller: Caller
  accountId: number
  /** The calendar day now in the account's time zone. */
  today: Day
  read: Read
}

/** An account whose subscription gives access, at least read-only. */
export type ReaderContext = AccountContext

/** An account that may write, inside the request's one transaction; `read` reads within it. */
export interface SubscriberContext extends ReaderContext {
  em: EntityManager
  write: Write
  /** Runs after the commit, never after a rollback. A failure is only logged. */
  afterCommit: (step: () => Promise<void>) => void
}

/** What acts upon an account's contracts in its transaction, whoever it acts for. */
export type ActingContext = Pick<SubscriberContext, 'read' | 'write' | 'accountId' | 'today' | 'services'>

/** For work outside a signed-in account: webhooks, links in emails and jobs. */
export type SystemContext = Pick<RequestContext, 'db' | 'services'>

/** For jobs, which have no account. */
export interface JobContext extends SystemContext, Pick<RequestContext, 'log'> {
  /** Says when the server stops. */
  signal: AbortSignal
}

/** The same request, with another actor for its further transactions. */
export function actingAs<Context extends Pick<RequestContext, 'db' | 'actor'>>(ctx: Context, actor: Actor): Context {
  return { ...ctx, actor, db: ctx.db.as(actor) }
}

export function requireAccount(ctx: RequestContext): AccountContext {
  const { caller } = ctx
  if (!caller) throw new AppError('NOT_SIGNED_IN')
  return {
    ...ctx,
    caller,
    accountId: caller.id,
    today: dayIn(ctx.services.now(), caller.timeZone),
    read: ctx.db.readAs(caller.id),
  }
}

/** Refuses API keys, for what a stolen one must not reach. @throws API_KEY_REFUSED */
export function refuseApiKey({ viaApiKey }: Pick<RequestContext, 'viaApiKey'>): void {
  if (viaApiKey) throw new AppError('API_KEY_REFUSED')
}

/** The API key scope that a call needs, or `none` if keys are refused. */
export type CallScope = KeyScope | 'none'

/** Lets people through, and keys whose scope is enough. @throws API_KEY_REFUSED, API_KEY_SCOPE_TOO_NARROW */
export function requireScope({ keyScope }: Pick<RequestContext, 'keyScope'>, needed: CallScope): void {
  // An unknown key has no scope, but it gives no access to an account either.
  if (!keyScope) return
  if (needed === 'none') throw new AppError('API_KEY_REFUSED')
  if (isScopeEnough(keyScope, needed)) return
  throw new AppError('API_KEY_SCOPE_TOO_NARROW', { values: { scope: needed }, details: { scope: needed } })
}

export function requireReader(ctx: RequestContext): ReaderContext {
  const account = requireAccount(ctx)
  const access = accessOf(account.caller.subscription, ctx.services.billingNow())
  if (access === 'checkout') throw new AppError('SUBSCRIPTION_REQUIRED')
  return account
}

/** An account whose data may be exported and whose letters may be marked as mailed, which outlasts all other access. */
export function requireExporter(ctx: RequestContext): ReaderContext {
  const account = requireAccount(ctx)
  if (!canExport(account.caller.subscription, ctx.services.billingNow())) throw new AppError('SUBSCRIPTION_REQUIRED')
  return account
}

/** An account that may write, without a transaction: for work that takes several. */
export function requireSubscriber(ctx: RequestContext): ReaderContext {
  const reader = requireReader(ctx)
  if (reader.caller.isSuspended) throw new AppError('ACCOUNT_SUSPENDED')
  if (accessOf(reader.caller.subscription, ctx.services.billingNow()) !== 'full') {
    throw new AppError(readOnlyRefusal(reader.caller.subscription?.status ?? 'none'))
  }
  return reader
}

/** Runs `work` in one transaction of an account that may write; any refusal rolls it back. @throws NOT_SIGNED_IN besides */
export async function asSubscriber<T>(
  ctx: RequestContext,
  work: (ctx: SubscriberContext) => Promise<T>,
  require = requireSubscriber,
): Promise<T> {
  const reader = require(ctx)
  const steps: (() => Promise<void>)[] = []
  const afterCommit = (step: () => Promise<void>) => void steps.push(step)
  const done = await ctx.db.writeAs(reader.accountId, async (em, write) => {
    // The transaction may run again after a rollback.
    steps.length = 0
    await refuseHalted(write, reader.accountId)
    return work({ ...reader, em, read: write, write, afterCommit })
  })
  for (const step of steps)
    await step().catch((error: unknown) => ctx.log.warn({ err: error }, 'a step after the commit failed'))
  return done
}

const HaltRow = z.object({ isSuspended: z.boolean() })

/**
 * An account may stay cached for some seconds after another process has deleted it, or the operator has suspended it.
 * @throws NOT_SIGNED_IN, ACCOUNT_SUSPENDED
 */
async function refuseHalted(read: Read, accountId: number): Promise<void> {
  const statement = sql`
    select suspended_at is not null as "isSuspended" from accounts where id = ${accountId} and deleting_at is null`
  const [known] = await read(statement, HaltRow)
  if (!known || known.isSuspended) throw new AppError(known ? 'ACCOUNT_SUSPENDED' : 'NOT_SIGNED_IN')
}
