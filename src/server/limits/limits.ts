import { LRUCache } from 'lru-cache'
import type { System } from '#server/db/connections/system.ts'
import { RateLimiterMemory, RateLimiterPostgres, RateLimiterRes, type RateLimiterAbstract } from 'rate-limiter-flexible'
import { AppError } from '#shared/errors.ts'
import {
  AT_ONCE,
  GENERAL_LIMITS,
  SHARED_LIMITS,
  type Allowance,
  type GeneralLimit,
  type HeavyWork,
  type LimitName,
  type LimitSettings,
  type SharedLimit,
} from './allowances.ts'
import { openSlots } from './slots.ts'

/** How much of a limit is left, for the standard headers. */
export interface Standing {
  limit: number
  remaining: number
  resetSeconds: number
}

type Name = GeneralLimit | SharedLimit

export interface Met {
  limit: LimitName
  /** An account's ID, an address, or the beginning of a key. */
  who: string | number
}

export interface Limits {
  /** Counts requests in this process. @throws TOO_MANY_REQUESTS */
  count(limit: GeneralLimit, who: string | number, requests?: number): Promise<Standing>
  /** Counts one more, together with all other processes. @throws TOO_MANY_REQUESTS */
  take(limit: SharedLimit, who: string | number): Promise<void>
  /** Whether this process has already refused, so that it need not ask the database to refuse again. */
  isMet(limit: SharedLimit, who: string): boolean
  /**
   * Starts heavy work under its concurrency and rate limits. Returns a function to be called once, when the work ends.
   * @throws TOO_MANY_AT_ONCE, TOO_MANY_REQUESTS
   */
  begin(work: HeavyWork, accountId: number): Promise<() => void>
  /** Runs heavy work under its limits. @throws TOO_MANY_AT_ONCE, TOO_MANY_REQUESTS */
  during<T>(work: HeavyWork, accountId: number, job: () => Promise<T>): Promise<T>
}

/** A request that counts towards a limit. */
interface Asked extends Met {
  limit: Name
}

interface LimitOptions {
  settings?: LimitSettings | undefined
  /**
   * Called once each time a limit is reached, however many requests are refused then; for work under way
   * at once, at most once a minute for each kind and account.
   */
  onMet?: (met: Met) => void
}

const REMEMBERED = 10_000
const MINUTE = 60
const HOUR = 3600
const DAY = 86_400

/** `system` can access the table of shared counters. */
export function openLimits(system: System, { settings = {}, onMet = () => {} }: LimitOptions = {}): Limits {
  const limiters = new Map<Name, RateLimiterAbstract>()
  const limiterOf = (limit: Name): RateLimiterAbstract => {
    const limiter = limiters.get(limit) ?? openLimiter(system, limit, settings[limit])
    limiters.set(limit, limiter)
    return limiter
  }
  const enter = openSlots(system, AT_ONCE, (work, who) => onMet({ limit: `${work}AtOnce`, who }))
  const refused = new LRUCache<string, true>({ max: REMEMBERED })

  const consume = async ({ limit, who }: Asked, points: number) => {
    const limiter = limiterOf(limit)
    try {
      return await limiter.consume(who, points)
    } catch (error) {
      if (!(error instanceof RateLimiterRes)) throw error
      const { consumedPoints, msBeforeNext } = error
      refused.set(`${limit}:${who}`, true, { ttl: Math.max(1, msBeforeNext) })
      if (consumedPoints > limiter.points && consumedPoints - points <= limiter.points) onMet({ limit, who })
      throw tooMany(msBeforeNext, limiter.points)
    }
  }
  const begin: Limits['begin'] = async (work, accountId) => {
    if (!isShared(work)) return enter(work, accountId)
    const asked = { limit: work, who: accountId }
    // Repeated refusals come from memory, without asking for a slot.
    const isCounted = refused.has(`${work}:${accountId}`) && (await consume(asked, 1))
    const end = await enter(work, accountId)
    try {
      if (!isCounted) await consume(asked, 1)
      return end
    } catch (error) {
      end()
      throw error
    }
  }
  return {
    count: async (limit, who, requests = 1) => {
      const { remainingPoints, msBeforeNext } = await consume({ limit, who }, requests)
      return {
        limit: limiterOf(limit).points,
        remaining: remainingPoints,
        resetSeconds: Math.ceil(msBeforeNext / 1000),
      }
    },
    take: async (limit, who) => void (await consume({ limit, who }, 1)),
    isMet: (limit, who) => refused.has(`${limit}:${who}`),
    begin,
    during: async (work, accountId, job) => {
      const end = await begin(work, accountId)
      try {
        return await job()
      } finally {
        end()
      }
    },
  }
}

function openLimiter(system: System, limit: Name, most: number | undefined): RateLimiterAbstract {
  if (isGeneral(limit)) return inMemory(limit, { ...GENERAL_LIMITS[limit], ...(most && { most }) })
  return inDatabase(system, limit, { ...SHARED_LIMITS[limit], ...(most && { most }) })
}

function isGeneral(limit: Name): limit is GeneralLimit {
  return limit in GENERAL_LIMITS
}

function isShared(work: HeavyWork): work is HeavyWork & SharedLimit {
  return work in SHARED_LIMITS
}

function inMemory(name: Name, { most, seconds }: Allowance): RateLimiterMemory {
  return new RateLimiterMemory({ keyPrefix: name, points: most, duration: seconds })
}

/** While the database does not respond, the process counts by itself. */
function inDatabase(system: System, name: Name, allowance: Allowance): RateLimiterPostgres {
  return new RateLimiterPostgres({
    storeClient: system,
    storeType: 'pool',
    tableName: 'rate_limits',
    tableCreated: true,
    clearExpiredByTimeout: false,
    keyPrefix: name,
    points: allowance.most,
    duration: allowance.seconds,
    // Only after the first refusal: that one is counted in the database, and so is known to be the first of all processes.
    inMemoryBlockOnConsumed: allowance.most + 1,
    insuranceLimiter: inMemory(name, allowance),
  })
}

/** The refusal for a limit, with the time to wait. */
function tooMany(waitMs: number, limit: number): AppError {
  const seconds = Math.max(1, Math.ceil(waitMs / 1000))
  return new AppError('TOO_MANY_REQUESTS', { values: { wait: waitText(seconds) }, wait: { seconds, limit } })
}

/** How long to wait, rounded up, as in "12 seconds", "1 minute", "2 hours" or "30 days". */
export function waitText(seconds: number): string {
  if (seconds < MINUTE) return amount(seconds, 'second')
  if (seconds < HOUR) return amount(Math.ceil(seconds / MINUTE), 'minute')
  if (seconds <= 2 * DAY) return amount(Math.ceil(seconds / HOUR), 'hour')
  return amount(Math.ceil(seconds / DAY), 'day')
}

function amount(count: number, unit: string): string {
  return `${count} ${unit}${count === 1 ? '' : 's'}`
}
