import Fastify from 'fastify'
import type { Client } from 'pg'
import type { RequestContext, Services } from '#server/context.ts'
import type { Database } from '#server/db/database.ts'
import { openLimits } from '#server/limits/limits.ts'
import { openCallers } from '#server/identity/callers.ts'
import { DEFAULT_WISHES } from './answer-rules.ts'
import { dayAt, type ModelAccount } from './model.ts'

/** Zones whose clocks change at different hours, by half an hour, at midnight, or never. */
const ZONES = [
  'America/New_York',
  'Europe/Berlin',
  'Australia/Lord_Howe',
  'Pacific/Auckland',
  'America/Santiago',
  'Asia/Kolkata',
  'Africa/Cairo',
  'UTC',
]
/** Of all contracts. */
export const START_DATE = '2020-01-01'

export const TIME_ZONES: readonly string[] = ZONES

/** The account whose owner has yet to verify their address. */
const UNVERIFIED = 3

interface Opened {
  db: Database
  owner: Client
  services: Services
}

/** An account with the preferences that everybody begins with. */
export async function openAccount({ db, owner, services }: Opened, place: number): Promise<ModelAccount> {
  const timeZone = ZONES[place % ZONES.length] ?? 'UTC'
  const [clerkUserId, email] = [`user_${place}`, `owner${place}@simulated.test`]
  const isVerified = place !== UNVERIFIED
  const { rows } = await owner.query<{ id: number }>(
    'insert into accounts (clerk_user_id, email, time_zone) values ($1, $2, $3) returning id',
    [clerkUserId, isVerified ? email : '', timeZone],
  )
  const id = rows[0]?.id ?? 0
  await owner.query(
    `insert into subscriptions (account_id, stripe_subscription_id, status, ever_paid_or_trialed, synced_at)
      values ($1, $2, 'active', true, now())`,
    [id, `sub_${id}`],
  )
  await owner.query('insert into companies (account_id, name) values ($1, $2)', [id, `Company ${place}`])
  const confirms = place % 2 === 0
  const endOverdueAfter = place % 4 === 1 ? 10 : null
  await owner.query(
    'insert into renewal_settings (account_id, confirm_renewals, end_overdue_after_days) values ($1, $2, $3)',
    [id, confirms, endOverdueAfter],
  )
  const subscription = { status: 'active', trialEnd: null, pastDueSince: null, endedAt: null, everPaidOrTrialed: true }
  const request: RequestContext = {
    db: db.as(`person:${id}`),
    actor: `person:${id}`,
    security: () => {},
    services,
    callers: openCallers(db, services),
    limits: openLimits(db.as('traxx').system, {
      settings: { remindersByHand: 1_000_000, imports: 1_000_000, customerAnswers: 1_000_000 },
    }),
    log: Fastify().log,
    origin: 'http://localhost:3000',
    caller: { id, clerkUserId, email, name: '', timeZone, stripeCustomerId: null, subscription, isSuspended: false },
    viaApiKey: false,
  }
  return {
    id,
    request,
    ownerEmail: email,
    isVerified,
    timeZone,
    zoneChangedAt: 0,
    hour: 8,
    hasAccess: true,
    plannedDay: dayAt(services.now().getTime() - 86_400_000, timeZone),
    confirms,
    endOverdueAfter,
    nightDays: new Set(),
    bulks: [],
    imports: [],
    answers: DEFAULT_WISHES,
    rules: [],
    choices: new Map(),
    bounced: new Set(),
    closed: new Set(),
    enabled: true,
    reminderDays: [30, 14, 7, 1],
    followUpDays: [1, 3, 7],
    email: true,
    inApp: true,
  }
}
