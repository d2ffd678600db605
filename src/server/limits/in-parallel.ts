/**
 * Starts items in order while those under way weigh at most `most` together; a heavier one runs alone. Returns the
 * results in the same order. `work` must not fail.
 */
export async function inParallel<Item, Result>(
  items: readonly Item[],
  { most, weightOf = () => 1 }: { most: number; weightOf?: (item: Item) => number },
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Promise<Result>[] = []
  const running = new Set<Promise<void>>()
  let weight = 0
  for (const item of items) {
    const own = weightOf(item)
    while (running.size > 0 && weight + own > most) await Promise.race(running)
    weight += own
    const result = work(item)
    results.push(result)
    const ended = result.then(() => {
      weight -= own
      running.delete(ended)
    })
    running.add(ended)
  }
  return Promise.all(results)
}

/** The same for work that may fail: it begins nothing new after a failure, and fails with the first one. */
export async function inParallelOrFail<Item, Result>(
  items: readonly Item[],
  limit: { most: number },
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const failures: unknown[] = []
  const results = await inParallel(items, limit, async (item) => {
    if (failures.length > 0) return []
    try {
      return [await work(item)]
    } catch (error) {
      failures.push(error)
      return []
    }
  })
  if (failures.length > 0) throw failures[0]
  return results.flat()
}

/** The items in groups of `size`, in order; the last one may be smaller. */
export function chunksOf<Item>(items: readonly Item[], size: number): Item[][] {
  const count = Math.ceil(items.length / size)
  return Array.from({ length: count }, (_chunk, at) => items.slice(at * size, (at + 1) * size))
}
