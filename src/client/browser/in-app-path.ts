/** A path in the app, safe to follow; undefined for anything that could lead to another site. */
export function inAppPath(value: unknown, origin: string): string | undefined {
  if (typeof value !== 'string' || !value.startsWith('/') || UNSAFE.test(value)) return undefined
  const { pathname, search, hash } = new URL(value, origin)
  const path = pathname + search + hash
  return LEADS_AWAY.test(path) ? undefined : path
}

const LEADS_AWAY = /^\/\//
// Browsers treat a backslash as a slash, and ignore tabs and line breaks.
const UNSAFE = /^\/\/|[\\\p{Cc}]/u
