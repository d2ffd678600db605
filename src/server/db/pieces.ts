/** The first `size` IDs of each item, then the next ones of those that have more, until all were given. */
export function* piecesOf<Item extends { ids: readonly number[] }>(
  items: readonly Item[],
  size: number,
): Generator<Item[]> {
  const most = items.reduce((longest, { ids }) => Math.max(longest, ids.length), 0)
  for (let from = 0; from < most; from += size) {
    const begun = items.filter(({ ids }) => ids.length > from)
    yield begun.map((item) => ({ ...item, ids: item.ids.slice(from, from + size) }))
  }
}
