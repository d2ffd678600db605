/** A validator as the router takes it (standardschema.dev): a link may leave out whatever has a default. */
interface SearchReader<Search> {
  '~standard': {
    types?: { input: { [Name in keyof Search]?: Search[Name] | undefined }; output: Search }
    validate: (address: unknown) => { value: Search }
  }
}

/** What a piece of an address says; undefined where that is nothing that can be meant. */
export type Reader<Value> = (written: string) => Value | undefined
/** A reader for each name, and what holds where the address does not say it. */
export type Readers<Search> = { [Name in keyof Search]-?: Reader<Search[Name]> }

/**
 * Reads what a screen keeps in its address. What is wrong in it is left out, so that no link leads to an error. Written
 * by hand, because the schemas of the server weigh more than a screen.
 */
export function searchReader<Search extends object>(
  readers: Readers<Search>,
  defaults: Partial<Search> = {},
): SearchReader<Search> {
  return { '~standard': { validate: (address) => ({ value: readSearch(readers, defaults, asWritten(address)) }) } }
}

export function text(longest: number): Reader<string> {
  return (written) => {
    const trimmed = written.trim()
    return trimmed.length <= longest && !trimmed.includes('\u0000') ? trimmed : undefined
  }
}

export function oneOf<const Value extends string>(values: readonly Value[]): Reader<Value> {
  return (written) => values.find((value) => value === written)
}

export function oneOfInAnyCase<const Value extends string>(values: readonly Value[]): Reader<Value> {
  return (written) => oneOf(values)(written.trim().toLowerCase())
}

export function wholeNumber({ from, to }: { from: number; to: number }): Reader<number> {
  return (written) => {
    const number = /^\d{1,15}$/.test(written) ? Number(written) : Number.NaN
    return number >= from && number <= to ? number : undefined
  }
}

export function flag(written: string): boolean | undefined {
  return { true: true, false: false }[written.toLowerCase()]
}

function readSearch<Search extends object>(
  readers: Readers<Search>,
  defaults: Partial<Search>,
  written: Record<string, unknown>,
): Search {
  const names = Object.keys(readers).filter(isNameOf(readers))
  // Named without a value where it is wrong, because the router lays what is read over what was written.
  const read = names
    .filter((name) => name in written || name in defaults)
    .map((name) => {
      const value = written[String(name)]
      return [name, (typeof value === 'string' ? readers[name](value) : undefined) ?? defaults[name]]
    })
  // oxlint-disable-next-line typescript/consistent-type-assertions -- the compiler does not follow a record by its names
  return Object.fromEntries(read) as Search
}

function isNameOf<Search extends object>(readers: Readers<Search>) {
  return (name: string): name is Extract<keyof Search, string> => name in readers
}

/** The router reads `?search=2026` as a number, where what is looked for is text. */
function asWritten(address: unknown): Record<string, unknown> {
  const named = Object.entries(address ?? {}).filter(([, value]) => value !== undefined && value !== null)
  return Object.fromEntries(named.map(([name, value]) => [name, typeof value === 'object' ? value : String(value)]))
}
