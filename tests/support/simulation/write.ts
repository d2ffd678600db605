import sql from 'sql-template-tag'
import { isUnreachable } from '#server/db/connections/failover.ts'
import { asSubscriber, type SubscriberContext } from '#server/context.ts'
import type { ModelAccount } from './model.ts'

/**
 * Whoever edits has a subscription; that one without it may not, is tested elsewhere. A connection that was cut in the
 * round before shows it only now, when nothing has been done with it: then another one is taken.
 */
export async function write<T>({ request }: ModelAccount, work: (ctx: SubscriberContext) => Promise<T>): Promise<T> {
  return untilConnected(() => asSubscriber(request, work))
}

const MOST_CONNECTIONS = 10

/** Has connections that were cut replaced, before work that cannot be repeated. */
export async function reconnected(account: ModelAccount): Promise<void> {
  const once = () => write(account, async ({ write: run }) => void (await run(sql`select pg_sleep(0.001)`)))
  await Promise.all(Array.from({ length: MOST_CONNECTIONS }, once))
}

/** Also where the machine is so busy that no connection was made in time. */
export function isUnconnected(error: unknown): boolean {
  return isUnreachable(error) || (error instanceof Error && /terminat/.test(error.message))
}

export async function untilConnected<T>(work: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await work()
    } catch (error) {
      if (!isUnconnected(error)) throw error
    }
  }
}
