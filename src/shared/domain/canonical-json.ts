/** What has canonical bytes: no floating-point numbers, dates or undefined values, whose text could differ. */
export type CanonicalValue =
  | string
  | number
  | boolean
  | null
  | readonly CanonicalValue[]
  | { readonly [name: string]: CanonicalValue }

/**
 * The one JSON text of a value: names of objects in the order of their UTF-16 code units, no spaces. Equal values have
 * equal text on every machine. @throws TypeError for a number that is not a safe integer
 */
export function canonicalJson(value: CanonicalValue): string {
  if (isList(value)) return `[${value.map(canonicalJson).join(',')}]`
  if (typeof value === 'object' && value !== null) {
    const names = Object.keys(value).toSorted(byCodeUnits)
    return `{${names.map((name) => `${JSON.stringify(name)}:${canonicalJson(value[name] ?? null)}`).join(',')}}`
  }
  if (typeof value === 'number' && (!Number.isSafeInteger(value) || Object.is(value, -0))) {
    throw new TypeError(`Not a whole number with one text: ${value}`)
  }
  return JSON.stringify(value)
}

// Array.isArray does not narrow readonly arrays.
function isList(value: CanonicalValue): value is readonly CanonicalValue[] {
  return Array.isArray(value)
}

function byCodeUnits(one: string, other: string): number {
  if (one === other) return 0
  return one < other ? -1 : 1
}
