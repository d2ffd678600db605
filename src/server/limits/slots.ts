import { AppError } from '#shared/errors.ts'

const RETRY_SECONDS = 5

/** So many pieces of work of each kind at once for each account; one more is refused. */
export function openSlots<Work extends string>(most: Record<Work, number>) {
  const taken = new Map<string, number>()
  const leave = (key: string) => {
    const left = (taken.get(key) ?? 1) - 1
    if (left === 0) taken.delete(key)
    else taken.set(key, left)
  }
  /** What it answers is to be called once, when the work ends. @throws TOO_MANY_AT_ONCE */
  return (work: Work, accountId: number): (() => void) => {
    const key = `${work}:${accountId}`
    const now = taken.get(key) ?? 0
    if (now >= most[work]) throw new AppError('TOO_MANY_AT_ONCE', { wait: { seconds: RETRY_SECONDS } })
    taken.set(key, now + 1)
    return () => leave(key)
  }
}
