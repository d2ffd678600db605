import superjson from 'superjson'

/** What superjson reads. */
interface Serialized {
  json: unknown
  meta?: object | undefined
}

interface Walk {
  /** Where the value stands within the whole. */
  path: (string | number)[]
  /** Where the dates stand. */
  dates: Walk['path'][]
}

/**
 * As superjson serializes it, in a fraction of the time: what services answer is JSON with dates in it, and JSON itself
 * leaves out what is undefined. Superjson's own walk takes longer than all else that answers a list. What is more than that
 * is left to it.
 */
export function serializeAnswer(value: unknown): Serialized {
  const walk: Walk = { path: [], dates: [] }
  if (!findDates(value, walk)) return superjson.serialize(value)
  if (walk.dates.length === 0) return { json: value }
  const values = Object.fromEntries(walk.dates.map((path) => [path.join('.'), ['Date']]))
  // JSON writes dates as superjson does.
  return { json: value, meta: { values, v: 1 } }
}

/** Adds where its dates are. False if there is anything else that JSON would not keep. */
function findDates(value: unknown, walk: Walk): boolean {
  if (typeof value === 'string' || typeof value === 'boolean' || value === null) return true
  if (typeof value === 'number') return Number.isFinite(value) && !Object.is(value, -0)
  if (typeof value !== 'object') return false
  if (Array.isArray(value)) return value.every((item, at) => findDatesAt(at, item, walk))
  if (value instanceof Date) return addDate(value, walk)
  if (!isPlain(value)) return false
  for (const key in value) {
    const item = value[key]
    if (item !== undefined && !findDatesAt(key, item, walk)) return false
  }
  return true
}

function findDatesAt(key: string | number, item: unknown, walk: Walk): boolean {
  walk.path.push(key)
  const isKept = findDates(item, walk)
  walk.path.pop()
  return isKept
}

/** Superjson writes keys with dots in them, and a date that is all of an answer, in another way. */
function addDate(date: Date, { path, dates }: Walk): boolean {
  dates.push([...path])
  const isPlace = path.length > 0 && path.every((key) => typeof key === 'number' || !/[.\\]/.test(key))
  return isPlace && !Number.isNaN(date.getTime())
}

function isPlain(value: object): value is Record<string, unknown> {
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}
