/**
 * Works on items in their order, on so many at a time as weigh `most` together, or on one that is heavier. Returns the results in
 * their order; `work` must not fail.
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
