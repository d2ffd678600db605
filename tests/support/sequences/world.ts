import Fastify from 'fastify'
import pg from 'pg'
import { addDays, toDay, type Day } from '#shared/domain/day.ts'
import { openDatabase } from '#server/boot/open-database.ts'
import type { JobContext, RequestContext } from '#server/context.ts'
import type { Actor } from '#server/db/actor.ts'
import { openAccount } from '#support/simulation/start.ts'
import { dayAt } from '#support/simulation/model.ts'
import { fakeServices } from '#support/services.ts'

const NOON = Date.parse('2026-03-10T12:00:00Z')
const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE

/** An account of its own for each sequence of acts, with a clock that the sequence moves. */
export interface SequenceWorld {
  owner: pg.Client
  request: RequestContext
  accountId: number
  timeZone: string
  /** The account's calendar day, so many days from today. */
  day: (offset?: number) => Day
  pass: (time: { minutes?: number; days?: number }) => void
  /** What a job sees. Rejects what a job would only log. */
  runJob: (name: string, job: (ctx: JobContext) => Promise<void>) => Promise<void>
  close: () => Promise<void>
}

export interface SequenceWorlds extends AsyncDisposable {
  open: () => Promise<SequenceWorld>
}

/** In a migrated database that nobody else uses. */
export async function openWorlds(connection: pg.PoolConfig): Promise<SequenceWorlds> {
  const owner = new pg.Client(connection)
  await owner.connect()
  const db = await openDatabase(connection)
  const clock = { now: NOON }
  const now = () => new Date(clock.now)
  const mailer = { messageIdOf: (key: string) => `<${key}@traxx.test>`, send: async () => ({ messageId: '' }) }
  const services = fakeServices({ now, billingNow: now, mailer })
  let count = 0
  const open = async (): Promise<SequenceWorld> => {
    clock.now = NOON
    const { id, request, timeZone } = await openAccount({ db, owner, services }, count)
    count += 1
    const faults: unknown[] = []
    const log = { ...Fastify().log, error: (fault: unknown) => void faults.push(fault) }
    return {
      owner,
      request,
      accountId: id,
      timeZone,
      day: (offset = 0) => addDays(toDay(dayAt(clock.now, timeZone)), offset),
      pass: ({ minutes = 0, days = 0 }) => (clock.now += minutes * MINUTE + days * DAY),
      runJob: async (name, job) => {
        const actor: Actor = `job:${name}`
        await job({ db: db.as(actor), services, log, signal: new AbortController().signal })
        const [fault] = faults
        if (fault) throw new Error(`The job ${name} failed`, { cause: fault })
      },
      close: async () => {
        await owner.query('select remove_proofs($1, 1000000)', [id])
        await owner.query('delete from accounts where id = $1', [id])
      },
    }
  }
  const close = async () => {
    await db.close()
    await owner.end()
  }
  return { open, [Symbol.asyncDispose]: close }
}
