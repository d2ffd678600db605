import type { z } from 'zod'

/** A validator as the router takes it (standardschema.dev): a link may leave out whatever has a default. */
interface SearchReader<Search> {
  '~standard': {
    types?: { input: { [Name in keyof Search]?: Search[Name] | undefined }; output: Search }
    validate: (address: unknown) => { value: Search }
  }
}

/** Reads what a screen keeps in its address. What is wrong in it is left out, so that no link leads to an error. */
export function searchReader<Schema extends z.ZodObject>(schema: Schema): SearchReader<z.output<Schema>> {
  return { '~standard': { validate: (address) => ({ value: readSearch(schema, asWritten(address)) }) } }
}

function readSearch<Schema extends z.ZodObject>(schema: Schema, written: [string, unknown][]): z.output<Schema> {
  const { error } = schema.safeParse(Object.fromEntries(written))
  const wrong = new Set(error?.issues.map(({ path }) => String(path[0])))
  const right = schema.parse(Object.fromEntries(written.filter(([name]) => !wrong.has(name))))
  // Named without a value, because the router lays what is read over what was written.
  return { ...Object.fromEntries([...wrong].map((name) => [name, undefined])), ...right }
}

/** The router reads `?search=2026` as a number, where the schemas read text. */
function asWritten(address: unknown): [string, unknown][] {
  const named = Object.entries(address ?? {}).filter(([, value]) => value !== undefined && value !== null)
  return named.map(([name, value]) => [name, typeof value === 'object' ? value : String(value)])
}
