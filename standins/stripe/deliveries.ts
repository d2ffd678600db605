import type pg from 'pg'
import type { Event } from './object-types.ts'
import { signatureOf } from './signature.ts'

/** Seconds from each failed try to the next, by the real clock; then it gives up. */
const RETRY_AFTER_SECONDS = [1, 5, 30, 120, 600, 3600, 6 * 3600]
const ANSWER_WITHIN_MS = 10_000
const AT_ONCE = 5

export interface Deliveries {
  /** Sends all that is due; the promise is kept once each was tried. */
  run(): Promise<void>
  sendAgain(event: string): Promise<void>
  close(): Promise<void>
}

interface Options {
  pool: pg.Pool
  secret: string
  url: () => string
  retryAfterSeconds?: readonly number[]
}

interface Claimed {
  id: string
  tries: number
  event: Event
}

interface Outcome {
  isAccepted: boolean
  answer: string
}

/** Sends what is in the outbox. It stays there until the receiver has answered 2xx, so nothing is lost by a crash. */
export async function openDeliveries(options: Options): Promise<Deliveries> {
  const { pool } = options
  let timer: NodeJS.Timeout | undefined
  let running: Promise<void> | null = null
  let isWanted = false
  let isClosed = false
  // Their sender has ended: delivering twice is better than never.
  await pool.query(`update standin.stripe_deliveries set next_try_at = clock_timestamp() where state = 'sending'`)

  function run(): Promise<void> {
    isWanted = true
    running ??= runWhileWanted()
    return running
  }

  async function runWhileWanted(): Promise<void> {
    try {
      while (isWanted && !isClosed) {
        isWanted = false
        while (!isClosed && (await sendBatch(options)) > 0);
        await wakeForNextTry()
      }
    } catch {
      // The database is away; the outbox keeps everything for the next run.
    } finally {
      running = null
    }
  }

  async function wakeForNextTry(): Promise<void> {
    const wait = await secondsToNextTry(pool)
    clearTimeout(timer)
    if (wait === null || isClosed) return
    const ms = Math.min(Math.max(0, wait * 1000), 60_000)
    timer = setTimeout(() => void run(), ms).unref()
  }

  return {
    run,
    async sendAgain(event) {
      const known = `select id from standin.stripe_objects where id = $1 and object = 'event'`
      await pool.query(`insert into standin.stripe_deliveries (event) ${known}`, [event])
      await run()
    },
    async close() {
      isClosed = true
      clearTimeout(timer)
      await running
    },
  }
}

async function sendBatch(options: Options): Promise<number> {
  const claimed = await claim(options.pool)
  await Promise.all(
    claimed.map(async (delivery) => record(options, delivery, await post(options, JSON.stringify(delivery.event)))),
  )
  return claimed.length
}

async function claim(pool: pg.Pool): Promise<Claimed[]> {
  const { rows } = await pool.query<Claimed>(
    `with claimed as (
       update standin.stripe_deliveries
       set state = 'sending', tries = tries + 1, next_try_at = clock_timestamp() + interval '1 minute'
       where id in (
         select id from standin.stripe_deliveries
         where state in ('pending', 'sending') and next_try_at <= clock_timestamp()
         order by id limit $1 for update skip locked)
       returning id, tries, event)
     select claimed.id, claimed.tries, event.data as event
     from claimed join standin.stripe_objects event on event.id = claimed.event
     order by claimed.id`,
    [AT_ONCE],
  )
  return rows
}

async function post({ url, secret }: Options, body: string): Promise<Outcome> {
  const headers = {
    'content-type': 'application/json; charset=utf-8',
    'user-agent': 'Stripe/1.0 (+https://stripe.com/docs/webhooks)',
    'stripe-signature': signatureOf(body, secret, Math.floor(Date.now() / 1000)),
  }
  try {
    const signal = AbortSignal.timeout(ANSWER_WITHIN_MS)
    const response = await fetch(url(), { method: 'POST', redirect: 'manual', headers, body, signal })
    await response.body?.cancel()
    return { isAccepted: response.ok, answer: String(response.status) }
  } catch (error) {
    return { isAccepted: false, answer: reasonOf(error) }
  }
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error.cause instanceof Error ? error.cause.message : error.message
}

async function record({ pool, retryAfterSeconds = RETRY_AFTER_SECONDS }: Options, delivery: Claimed, outcome: Outcome) {
  const wait = outcome.isAccepted ? undefined : retryAfterSeconds[delivery.tries - 1]
  const unaccepted = wait === undefined ? 'given up' : 'pending'
  const state = outcome.isAccepted ? 'delivered' : unaccepted
  await pool.query(
    `with done as (
       update standin.stripe_deliveries
       set state = $2, answer = $3, next_try_at = clock_timestamp() + make_interval(secs => $4::float8)
       where id = $1 returning event)
     update standin.stripe_objects set data = jsonb_set(data, '{pending_webhooks}', $5::jsonb)
     where id = (select event from done)`,
    [delivery.id, state, outcome.answer, wait ?? 0, state === 'pending' ? '1' : '0'],
  )
}

async function secondsToNextTry(pool: pg.Pool): Promise<number | null> {
  const { rows } = await pool.query<{ wait: number | null }>(
    `select extract(epoch from min(next_try_at) - clock_timestamp())::float8 as wait
     from standin.stripe_deliveries where state in ('pending', 'sending')`,
  )
  return rows[0]?.wait ?? null
}
