/** The address of a screen within the app, as it may stand in a link; undefined for anything that could lead away. */
export function inAppPath(value: unknown, origin: string): string | undefined {
  if (typeof value !== 'string' || !value.startsWith('/') || UNSAFE.test(value)) return undefined
  const { pathname, search, hash } = new URL(value, origin)
  const path = pathname + search + hash
  return LEADS_AWAY.test(path) ? undefined : path
}

const LEADS_AWAY = /^\/\//
// Browsers read a backslash as a slash, and drop tabs and line ends before they look.
const UNSAFE = /^\/\/|[\\\p{Cc}]/u
