/** What stands after an address's question mark; what is undefined stays out of it. */
export type Query = Record<string, string | number | boolean | undefined>

export function addressOf(path: string, query: Query): string {
  const set = Object.entries(query).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]]))
  return set.length > 0 ? `${path}?${new URLSearchParams(set)}` : path
}
