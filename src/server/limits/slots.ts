import sql, { raw } from 'sql-template-tag'
import { z } from 'zod'
import { LRUCache } from 'lru-cache'
import { AppError } from '#shared/errors.ts'
import { readRows } from '#server/db/rows.ts'
import type { System } from '#server/db/connections/system.ts'

const RETRY_SECONDS = 5
/** How long the slots of a dead process stay taken. */
const LEASE_MS = 60_000
/** Further refusals of the same work of an account are not reported for so long. */
const QUIET_MS = 60_000
const REMEMBERED = 10_000

/**
 * Bounds the concurrent pieces of work of each kind per account, over all processes; one more is refused. A slot is
 * a row of the shared counters. While the database does not answer, each process counts alone. `onFull` is called at the
 * first refusal in a minute of each kind and account.
 */
export function openSlots<Work extends string>(
  system: System,
  most: Record<Work, number>,
  onFull: (work: Work, accountId: number) => void,
) {
  const here = new Map<string, number>()
  const releasing = new Map<string, Promise<unknown>>()
  const reported = new LRUCache<string, number>({ max: REMEMBERED })
  const refusal = (work: Work, accountId: number) => {
    const key = keyOf(work, accountId)
    const [now, last = -Infinity] = [performance.now(), reported.get(key)]
    if (now - last >= QUIET_MS) {
      reported.set(key, now)
      onFull(work, accountId)
    }
    return new AppError('TOO_MANY_AT_ONCE', { wait: { seconds: RETRY_SECONDS } })
  }
  const leave = (key: string) => {
    const left = (here.get(key) ?? 1) - 1
    if (left === 0) here.delete(key)
    else here.set(key, left)
  }
  const release = (key: string, slot: Slot | undefined) => {
    leave(key)
    if (!slot) return
    const released = slot.release()
    releasing.set(key, released)
    void released.then(() => releasing.get(key) === released && releasing.delete(key))
  }
  /** Returns a function to be called once, when the work ends. @throws TOO_MANY_AT_ONCE */
  return async (work: Work, accountId: number): Promise<() => void> => {
    const key = keyOf(work, accountId)
    const now = here.get(key) ?? 0
    if (now >= most[work]) throw refusal(work, accountId)
    here.set(key, now + 1)
    await releasing.get(key)
    const found = await takeSlot(system, key, most[work]).catch(() => 'unknown' as const)
    if (found === 'none') {
      leave(key)
      throw refusal(work, accountId)
    }
    const slot = found === 'unknown' ? undefined : found
    return () => release(key, slot)
  }
}

interface Slot {
  /** Never rejects: a slot that cannot be released is free again after its lease. */
  release(): Promise<unknown>
}

/** The end of the lease identifies the holder. */
const HeldSlot = z.object({ key: z.string(), expire: z.string() })
type HeldSlot = z.output<typeof HeldSlot>

const LEASE_END = raw(`(extract(epoch from clock_timestamp()) * 1000)::bigint + ${LEASE_MS}`)

async function takeSlot(system: System, key: string, most: number): Promise<Slot | 'none'> {
  for (let number = 1; number <= most; number += 1) {
    const statement = sql`
      insert into rate_limits as held (key, points, expire) values (${`${key}:${number}`}, 1, ${LEASE_END})
      on conflict (key) do update set expire = excluded.expire where held.expire < excluded.expire - ${LEASE_MS}
      returning key, expire::text`
    const [held] = await readRows(system, statement, HeldSlot)
    if (held) return hold(system, held)
  }
  return 'none'
}

/** Extends the lease again and again, until the slot is released. */
function hold(system: System, { key, expire }: HeldSlot): Slot {
  let last = Promise.resolve(expire)
  const renew = async (end: string) => {
    const statement = sql`
      update rate_limits set expire = ${LEASE_END} where key = ${key} and expire = ${end} returning key, expire::text`
    const [held] = await readRows(system, statement, HeldSlot)
    return held?.expire ?? end
  }
  const timer = setInterval(() => {
    last = last.then((end) => renew(end).catch(() => end))
  }, LEASE_MS / 3).unref()
  return {
    release: async () => {
      clearInterval(timer)
      const end = await last
      await system.query('delete from rate_limits where key = $1 and expire = $2', [key, end]).catch(() => {})
    },
  }
}

function keyOf(work: string, accountId: number): string {
  return `${work}AtOnce:${accountId}`
}
