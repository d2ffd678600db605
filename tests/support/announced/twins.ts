import Fastify from 'fastify'
import pg from 'pg'
import { addDays, dayIn } from '#shared/domain/day.ts'
import { openDatabase } from '#server/boot/open-database.ts'
import type { JobContext } from '#server/context.ts'
import type { Actor } from '#server/db/actor.ts'
import { runBulkChanges } from '#server/bulk/run-bulk-changes.ts'
import { planReminders } from '#server/reminders/plan-reminders.ts'
import { sendReminders } from '#server/reminders/sending/send-reminders.ts'
import { renewContracts } from '#server/renewals/renew-contracts.ts'
import { aMailbox } from '#support/mailbox.ts'
import { fakeServices } from '#support/services.ts'
import { openAccount, TIME_ZONES } from '#support/simulation/start.ts'
import { DrawnAccount } from './account.ts'
import type { Drawn } from './draw.ts'

/** Two accounts of which the same was drawn: something is done in one alone. */
export interface Twins {
  drawn: Drawn
  acting: DrawnAccount
  idle: DrawnAccount
}

export interface TwinsWorld extends AsyncDisposable {
  clock: { now: number }
  open: (drawn: Drawn, actAt: number) => Promise<Twins>
  /** Renews contracts, plans and sends what is due. Rejects what a job would only log. */
  run: () => Promise<void>
  runBulk: () => Promise<void>
  /** Has the idle twin planned when the acting one is, so that they differ by nothing else. */
  planAlike: (twins: Twins) => Promise<void>
  close: (twins: Twins) => Promise<void>
}

const NO_LIMIT = 1_000_000

/** Accounts with one clock in a migrated database that nobody else uses. */
export async function openTwinsWorld(connection: pg.PoolConfig): Promise<TwinsWorld> {
  const owner = new pg.Client(connection)
  await owner.connect()
  const db = await openDatabase(connection)
  const clock = { now: 0 }
  const now = () => new Date(clock.now)
  const mailLimits = { toAddress: NO_LIMIT, ofTrial: NO_LIMIT, ofPaying: NO_LIMIT }
  const services = fakeServices({ now, billingNow: now, mailer: aMailbox().mailer, mailLimits })
  const faults: unknown[] = []
  const log = { ...Fastify().log, error: (fault: unknown) => void faults.push(fault) }
  const runJob = async (actor: Actor, job: (ctx: JobContext) => Promise<void>) => {
    await job({ db: db.as(actor), services, log, signal: new AbortController().signal })
    if (faults.length > 0) throw new Error(`The ${actor} failed`, { cause: faults[0] })
  }
  let pairs = 0
  return {
    clock,
    open: async (drawn, actAt) => {
      // Past the accounts of which the simulation makes something else.
      const place = (1 + 2 * pairs) * TIME_ZONES.length + drawn.zone
      pairs += 1
      const openOne = async (at: number) => {
        const { request, timeZone } = await openAccount({ db, owner, services }, at)
        const account = new DrawnAccount(drawn, request, (days) => addDays(dayIn(new Date(actAt), timeZone), days))
        await account.begin()
        return account
      }
      return { drawn, acting: await openOne(place), idle: await openOne(place + TIME_ZONES.length) }
    },
    run: async () => {
      await runJob('job:renewals', renewContracts)
      await runJob('job:reminders', planReminders)
      await runJob('job:reminders', sendReminders)
    },
    runBulk: () => runJob('job:bulk-changes', runBulkChanges),
    planAlike: async ({ acting, idle }) => {
      await owner.query(
        `update reminder_schedules s set next_plan_at = least(s.next_plan_at, a.next_plan_at)
          from reminder_schedules a where s.account_id = $1 and a.account_id = $2`,
        [idle.id, acting.id],
      )
    },
    close: async ({ acting, idle }) => {
      for (const { id } of [acting, idle]) {
        await owner.query('select remove_proofs($1, 1000000)', [id])
        await owner.query('delete from accounts where id = $1', [id])
      }
    },
    [Symbol.asyncDispose]: async () => {
      await db.close()
      await owner.end()
    },
  }
}
