/** A query string; undefined values are left out. */
export type Query = Record<string, string | number | boolean | undefined>

export function addressOf(path: string, query: Query): string {
  const set = Object.entries(query).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]]))
  return set.length > 0 ? `${path}?${new URLSearchParams(set)}` : path
}
