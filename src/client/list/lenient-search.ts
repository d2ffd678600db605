import type * as z from 'zod/mini'

/** A validator as the router takes it (standardschema.dev): a link may leave out whatever has a default. */
interface LenientSearch<Search> {
  '~standard': {
    types?: { input: { [Name in keyof Search]?: Search[Name] | undefined }; output: Search }
    validate: (address: unknown) => { value: Search }
  }
}

/** Reads an address by a schema. A wrong value counts as missing, so that no link leads to an error. */
export function lenientSearch<Schema extends z.ZodMiniObject>(schema: Schema): LenientSearch<z.output<Schema>> {
  const validate = (address: unknown) => {
    const written = asText(address)
    const read = schema.safeParse(written)
    if (read.success) return { value: read.data }
    // Set to undefined because the router merges this over the raw search.
    const without = Object.fromEntries(read.error.issues.map(({ path }) => [path[0], undefined]))
    return { value: schema.parse({ ...written, ...without }) }
  }
  return { '~standard': { validate } }
}

/** The router reads `?search=2026` as a number, but what is searched for is text. */
function asText(address: unknown): Record<string, unknown> {
  const named = Object.entries(address ?? {}).filter(([, value]) => value !== undefined && value !== null)
  return Object.fromEntries(named.map(([name, value]) => [name, typeof value === 'object' ? value : String(value)]))
}
