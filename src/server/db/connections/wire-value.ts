const NEEDS_ESCAPE = /["\\]/

/** A parameter as PostgreSQL reads it: text, or null. Arrays become array literals, other objects JSON. */
export function wireValue(value: unknown): string | null {
  if (value === null || value === undefined) return null
  if (typeof value === 'string') return value
  if (value instanceof Date) return value.toISOString()
  if (value instanceof Uint8Array) return `\\x${Buffer.from(value).toString('hex')}`
  if (Array.isArray(value)) return `{${value.map(element).join(',')}}`
  // oxlint-disable-next-line typescript/no-base-to-string -- what is left is a number, a bigint or a boolean
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

function element(value: unknown): string {
  if (Array.isArray(value)) return wireValue(value) ?? ''
  const text = wireValue(value)
  if (text === null) return 'NULL'
  // Testing is faster than replacing, and few texts need an escape.
  return NEEDS_ESCAPE.test(text) ? `"${text.replaceAll(/["\\]/g, '\\$&')}"` : `"${text}"`
}
