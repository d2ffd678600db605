import sql from 'sql-template-tag'
import { beforeAll, beforeEach } from 'vitest'
import Fastify from 'fastify'
import type { PoolConfig } from 'pg'
import { z } from 'zod'
import { toDay } from '#shared/domain/day.ts'
import { CreateApiKey } from '#shared/schemas/accounts.ts'
import { CreateContract } from '#shared/schemas/contracts.ts'
import { CreateCustomer } from '#shared/schemas/customers.ts'
import { createContract } from '#server/contracts/contracts.service.ts'
import {
  actingAs,
  asSubscriber,
  requireReader,
  type Callers,
  type RequestContext,
  type Services,
} from '#server/context.ts'
import { createCustomer } from '#server/customers/customers.service.ts'
import type { Database } from '#server/db/database.ts'
import { openDatabase } from '#server/boot/open-database.ts'
import { createApiKey } from '#server/identity/api-keys.service.ts'
import type { System } from '#server/db/connections/system.ts'
import { openLimits, type Limits } from '#server/limits/limits.ts'
import { openCallers } from '#server/identity/callers.ts'
import { actorOf } from '#server/http/request-context.ts'
import { readRows } from '#server/db/rows.ts'
import { emptyDatabase, workerConnection } from './database.ts'
import { fakeServices } from './services.ts'

/** The day that tests call today; the clock of `fakeServices` stands at its noon. */
export const TODAY = toDay('2026-03-10')

export interface World {
  readonly connection: PoolConfig
  readonly db: Database
}

/** A migrated database for the tests of one file, empty before each of them. */
export function useWorld(): World {
  let world: World | undefined
  const opened = () => {
    if (!world) throw new Error('The world opens with the first test')
    return world
  }
  beforeAll(async () => {
    world = await workerWorld()
  })
  beforeEach(() => emptyDatabase(opened().connection))
  return {
    get connection() {
      return opened().connection
    },
    get db() {
      return opened().db
    },
  }
}

let ofWorker: World | undefined

/** The files of a worker share its connections, which end with it. */
async function workerWorld(): Promise<World> {
  const connection = await workerConnection()
  ofWorker ??= { connection, db: (await openDatabase(connection)).as('operator') }
  return ofWorker
}

export interface AccountOptions {
  status?: string | null
  timeZone?: string
  services?: Partial<Services>
  /** The name of its company; null for none. */
  company?: string | null
}

/** What accounts of tests are called, unless said otherwise. */
export const COMPANY = 'Alder Supplies'

const NO_LOG = Fastify().log

let accounts = 0

/** An account with a subscription (active, unless said otherwise), as a request of its own. */
export async function anAccount({ db }: World, options: AccountOptions = {}) {
  const { status = 'active', timeZone = 'UTC', services, company = COMPANY } = options
  accounts += 1
  const userId = `user_${accounts}`
  const statement = sql`
    insert into accounts (clerk_user_id, email, time_zone) values (${userId}, ${`${userId}@example.com`}, ${timeZone})
    returning id`
  const [account] = await readRows(db.system, statement, z.object({ id: z.int() }))
  const id = account?.id ?? 0
  if (status) await subscribe(db, id, status)
  if (company !== null) {
    await db.writeAs(id, (em) => em.execute('insert into companies (account_id, name) values (?, ?)', [id, company]))
  }
  return requestOf({ db }, userId, services)
}

/** The context of a request that this user's session token came with. */
export async function requestOf({ db }: Pick<World, 'db'>, userId: string, changes?: Partial<Services>) {
  const services = fakeServices(changes)
  const callers = changes?.clerk || changes?.verifyToken ? openCallers(db, services) : callersOf(db)
  callers.forget(userId)
  const caller = await callers.find(`session:${userId}`)
  const request: RequestContext = {
    db,
    services,
    callers,
    limits: lazyLimits(db.as('traxx').system),
    actor: '',
    security: () => {},
    log: NO_LOG,
    origin: 'http://localhost:3000',
    caller,
    viaApiKey: false,
    factorAge: [0, -1],
  }
  return actingAs(request, actorOf(caller))
}

const knownCallers = new WeakMap<Database, Callers>()

/** Those of a database, made once: they keep room for many thousands. */
function callersOf(db: Database): Callers {
  const callers = knownCallers.get(db) ?? openCallers(db, fakeServices())
  knownCallers.set(db, callers)
  return callers
}

/** Limits of one request's own, made where they are asked for: they keep room for thousands too. */
function lazyLimits(system: System): Limits {
  let opened: Limits | undefined
  const limits = () => (opened ??= openLimits(system))
  return {
    count: (limit, who, requests) => limits().count(limit, who, requests),
    take: (limit, who) => limits().take(limit, who),
    isMet: (limit, who) => limits().isMet(limit, who),
    begin: (work, accountId) => limits().begin(work, accountId),
    during: (work, accountId, job) => limits().during(work, accountId, job),
  }
}

async function subscribe(db: Database, accountId: number, status: string) {
  await db.system.query(
    `insert into subscriptions (account_id, stripe_subscription_id, status, ever_paid_or_trialed, synced_at)
      values ($1, $2, $3, true, now())`,
    [accountId, `sub_${accountId}`, status],
  )
}

/** A customer of the account; every default is valid, a test states what it is about. */
export function aCustomer(request: RequestContext, changes: Partial<z.input<typeof CreateCustomer>> = {}) {
  const input = CreateCustomer.parse({ name: 'Acme Ltd', ...changes })
  return asSubscriber(request, (ctx) => createCustomer(ctx, input))
}

/** A contract of the account, with a customer of its own unless one is given. */
export async function aContract(request: RequestContext, changes: Partial<z.input<typeof CreateContract>> = {}) {
  const customerId = Number(changes.customerId ?? (await aCustomer(request)).id)
  const input = CreateContract.parse({
    amount: 100,
    startDate: '2026-01-01',
    renewalCycle: 'monthly',
    renewalDate: '2026-04-01',
    status: 'active',
    ...changes,
    customerId,
  })
  return asSubscriber(request, (ctx) => createContract(ctx, input))
}

/** An API key of the account that may do all, unless said otherwise. */
export async function anApiKey(request: RequestContext, changes: Partial<z.input<typeof CreateApiKey>> = {}) {
  const input = CreateApiKey.parse({ name: 'Script', ...changes })
  const { key } = await asSubscriber(request, (ctx) => createApiKey(ctx, input))
  return key
}

export { asSubscriber, requireReader }
