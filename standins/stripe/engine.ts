import type pg from 'pg'
import { openDeliveries, type Deliveries } from './deliveries.ts'
import { catchUp } from './due.ts'
import { forgetOldAnswers } from './idempotency.ts'
import { readOffset, readSettings, writeOffset, type Settings } from './settings.ts'
import { stockTheShop } from './shop.ts'
import { createTables } from './tables.ts'
import { reading, writing, type Turn } from './turn.ts'

const BEAT_MS = 5000
const LONGEST_STEP = 86_400
/** How long moving the clock waits in all for the receiver to hear of each step. */
const HEARD_WITHIN_MS = 15_000
const NOBODY = { id: null, idempotency_key: null }

/** Runs the stand-in's turns, one after the other, and its clock. */
export class Engine {
  readonly settings: Settings
  readonly pool: pg.Pool
  private readonly deliveries: Deliveries
  private readonly heart: NodeJS.Timeout
  private beating: Promise<void> = Promise.resolve()
  private aheadBy: number

  constructor(pool: pg.Pool, deliveries: Deliveries, { settings, offset }: { settings: Settings; offset: number }) {
    this.pool = pool
    this.deliveries = deliveries
    this.settings = settings
    this.aheadBy = offset
    this.heart = setInterval(() => {
      this.beating = this.beat()
    }, BEAT_MS).unref()
  }

  /** Seconds that the clock is ahead of the real one. */
  get offset(): number {
    return this.aheadBy
  }

  /** Unix seconds on the stand-in's clock. */
  now(): number {
    return Math.floor(Date.now() / 1000 + this.aheadBy)
  }

  read<T>(work: (turn: Turn) => Promise<T>): Promise<T> {
    return reading(this.pool, (client) => work({ client, now: this.now(), request: NOBODY }))
  }

  async write<T>(work: (turn: Turn) => Promise<T>, request: Turn['request'] = NOBODY): Promise<T> {
    const result = await this.takeTurn(work, request)
    void this.deliveries.run()
    return result
  }

  /** Lives through the time, a day at most at once, so that all happens in its order. */
  async advance(seconds: number): Promise<void> {
    const patience = AbortSignal.timeout(HEARD_WITHIN_MS)
    for (let left = seconds; left > 0; left -= LONGEST_STEP) {
      await this.step(Math.min(left, LONGEST_STEP))
      await Promise.race([this.deliveries.run(), aborted(patience)])
    }
  }

  /** Goes on telling what was not heard before the last end. */
  tellTheRest(): void {
    void this.deliveries.run()
  }

  /** Tells of an event once more. */
  sendAgain(event: string): Promise<void> {
    return this.deliveries.sendAgain(event)
  }

  async close(): Promise<void> {
    clearInterval(this.heart)
    await this.beating
    await this.deliveries.close()
  }

  private takeTurn<T>(work: (turn: Turn) => Promise<T>, request: Turn['request']): Promise<T> {
    return writing(this.pool, async (client) => {
      this.aheadBy = await readOffset(client)
      const turn = { client, now: this.now(), request }
      await catchUp(turn)
      const done = await work(turn)
      await catchUp(turn)
      return done
    })
  }

  private async step(seconds: number): Promise<void> {
    this.aheadBy = await this.takeTurn(async (turn) => {
      const moved = this.aheadBy + seconds
      await writeOffset(turn.client, moved)
      await catchUp({ ...turn, now: turn.now + seconds })
      return moved
    }, NOBODY)
  }

  // Another process may have moved the clock, and real time passes too.
  private async beat(): Promise<void> {
    try {
      this.aheadBy = await readOffset(this.pool)
      if (await isAnythingDue(this.pool, this.now())) await this.write(async () => {})
      await this.deliveries.run()
    } catch {
      // The database is away; the next beat tries again.
    }
  }
}

export async function openEngine({ pool, webhookUrl }: { pool: pg.Pool; webhookUrl: () => string }): Promise<Engine> {
  const prepared = await prepare(pool)
  const deliveries = await openDeliveries({ pool, secret: prepared.settings.webhookSecret, url: webhookUrl })
  return new Engine(pool, deliveries, prepared)
}

function prepare(pool: pg.Pool): Promise<{ settings: Settings; offset: number }> {
  return writing(pool, async (client) => {
    await createTables(client)
    const offset = await readOffset(client)
    const turn = { client, now: Math.floor(Date.now() / 1000 + offset), request: NOBODY }
    await stockTheShop(turn)
    await forgetOldAnswers(turn)
    return { offset, settings: await readSettings(client) }
  })
}

async function isAnythingDue(pool: pg.Pool, now: number): Promise<boolean> {
  const { rowCount } = await pool.query('select from standin.stripe_objects where due_at <= $1 limit 1', [now])
  return rowCount !== 0
}

function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve()
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }))
}
