import { AppError } from '#shared/errors.ts'

const RETRY_SECONDS = 5

interface Waiting<Name> {
  name: Name
  /** How much work of the name may wait already. */
  mostWaiting: number
}

/**
 * Work of one name runs one after the other in this process, so that what would only wait for a lock takes no connection.
 * Other names do not wait for it.
 * @throws TOO_MANY_AT_ONCE if `mostWaiting` wait already
 */
export type Queue<Name> = <T>(waiting: Waiting<Name>, work: () => Promise<T>) => Promise<T>

export function openQueue<Name>(): Queue<Name> {
  const queues = new Map<Name, { last: Promise<unknown>; length: number }>()
  return async ({ name, mostWaiting }, work) => {
    const queue = queues.get(name) ?? { last: Promise.resolve(), length: 0 }
    if (queue.length > mostWaiting) throw new AppError('TOO_MANY_AT_ONCE', { wait: { seconds: RETRY_SECONDS } })
    queues.set(name, queue)
    queue.length += 1
    const done = queue.last.then(work)
    queue.last = done.catch(() => {})
    try {
      return await done
    } finally {
      queue.length -= 1
      if (queue.length === 0) queues.delete(name)
    }
  }
}
