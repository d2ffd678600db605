import type pg from 'pg'
import { openDeliveries, type Deliveries } from './deliveries.ts'
import { catchUp } from './due.ts'
import { forgetOldAnswers } from './idempotency.ts'
import { readOffset, readSettings, writeOffset, type Settings } from './settings.ts'
import { seedCatalog } from './seed-catalog.ts'
import { createTables } from './tables.ts'
import { reading, writing, type Transaction } from './transaction.ts'

const TICK_MS = 5000
const LONGEST_STEP = 86_400
/** How long moving the clock waits in total for the receiver to accept events. */
const HEARD_WITHIN_MS = 15_000
const NOBODY = { id: null, idempotency_key: null }

/** Runs the stand-in's transactions, one after the other, and its clock. */
export class Engine {
  readonly settings: Settings
  readonly pool: pg.Pool
  private readonly deliveries: Deliveries
  private readonly timer: NodeJS.Timeout
  private ticking: Promise<void> = Promise.resolve()
  private aheadBy: number

  constructor(pool: pg.Pool, deliveries: Deliveries, { settings, offset }: { settings: Settings; offset: number }) {
    this.pool = pool
    this.deliveries = deliveries
    this.settings = settings
    this.aheadBy = offset
    this.timer = setInterval(() => {
      this.ticking = this.tick()
    }, TICK_MS).unref()
  }

  /** Seconds that the clock is ahead of the real one. */
  get offset(): number {
    return this.aheadBy
  }

  /** Unix seconds on the stand-in's clock. */
  now(): number {
    return Math.floor(Date.now() / 1000 + this.aheadBy)
  }

  read<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    return reading(this.pool, (client) => work({ client, now: this.now(), request: NOBODY }))
  }

  async write<T>(work: (tx: Transaction) => Promise<T>, request: Transaction['request'] = NOBODY): Promise<T> {
    const result = await this.runTransaction(work, request)
    void this.deliveries.run()
    return result
  }

  /** Moves the clock in steps of a day at most, so that everything happens in order. */
  async advance(seconds: number): Promise<void> {
    const deadline = AbortSignal.timeout(HEARD_WITHIN_MS)
    for (let left = seconds; left > 0; left -= LONGEST_STEP) {
      await this.step(Math.min(left, LONGEST_STEP))
      await Promise.race([this.deliveries.run(), aborted(deadline)])
    }
  }

  /** Continues deliveries that were not accepted before the last shutdown. */
  tellTheRest(): void {
    void this.deliveries.run()
  }

  /** Delivers an event again. */
  sendAgain(event: string): Promise<void> {
    return this.deliveries.sendAgain(event)
  }

  async close(): Promise<void> {
    clearInterval(this.timer)
    await this.ticking
    await this.deliveries.close()
  }

  private runTransaction<T>(work: (tx: Transaction) => Promise<T>, request: Transaction['request']): Promise<T> {
    return writing(this.pool, async (client) => {
      this.aheadBy = await readOffset(client)
      const tx = { client, now: this.now(), request }
      await catchUp(tx)
      const done = await work(tx)
      await catchUp(tx)
      return done
    })
  }

  private async step(seconds: number): Promise<void> {
    this.aheadBy = await this.runTransaction(async (tx) => {
      const moved = this.aheadBy + seconds
      await writeOffset(tx.client, moved)
      await catchUp({ ...tx, now: tx.now + seconds })
      return moved
    }, NOBODY)
  }

  // Another process may have moved the clock, and real time passes too.
  private async tick(): Promise<void> {
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
    const tx = { client, now: Math.floor(Date.now() / 1000 + offset), request: NOBODY }
    await seedCatalog(tx)
    await forgetOldAnswers(tx)
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
