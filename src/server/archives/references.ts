import { z } from 'zod'

/** What is wrong with a row, for people to read. */
export class RowProblem extends Error {}

/** Reads one row as it will be stored, with the positions of rows instead of their IDs; undefined leaves it out. */
export type ReadRow = (value: unknown) => object | undefined

/** A reader of rows of this schema. It throws a RowProblem for others. */
export function reading<Schema extends z.core.$ZodType>(
  schema: Schema,
  stored: (row: z.output<Schema>) => object | undefined,
): ReadRow {
  return (value) => {
    const row = z.safeParse(schema, value)
    if (row.success) return stored(row.data)
    const [issue] = row.error.issues
    throw new RowProblem([issue?.path.join('.'), issue?.message].filter(Boolean).join(': '))
  }
}

/** Rows that others refer to. Their IDs belong to another account: they become their positions in the file, from 1. */
export class Numbering {
  readonly #what: string
  readonly #positions = new Map<number, number>()

  constructor(what: string) {
    this.#what = what
  }

  /** The position of the next row. @throws RowProblem if another row has its ID */
  add(id: number): number {
    if (this.#positions.has(id)) throw new RowProblem(`There is another ${this.#what} with the ID ${id}`)
    const position = this.#positions.size + 1
    this.#positions.set(id, position)
    return position
  }

  find(id: number | null): number | null {
    return id === null ? null : (this.#positions.get(id) ?? null)
  }

  /** @throws RowProblem if the archive has no such row */
  need(id: number): number {
    const position = this.find(id)
    if (position === null) throw new RowProblem(`There is no ${this.#what} with the ID ${id}`)
    return position
  }
}

/** Numbers below 0 for what no longer exists, so that history about it stays together and is nobody else's. */
export class Gone {
  readonly #numbers = new Map<number, number>()

  numberOf(id: number): number {
    const known = this.#numbers.get(id)
    if (known !== undefined) return known
    const number = -1 - this.#numbers.size
    this.#numbers.set(id, number)
    return number
  }
}

/** Counts rows that belong to the same thing. */
export class Tally {
  readonly #most: number
  readonly #counts = new Map<number, number>()

  constructor(most: number) {
    this.#most = most
  }

  /** @throws RowProblem if there are too many */
  add(key: number): void {
    const count = (this.#counts.get(key) ?? 0) + 1
    if (count > this.#most) throw new RowProblem(`There are more than ${this.#most} of them`)
    this.#counts.set(key, count)
  }
}

/** What must not come twice. */
export class Once<Key> {
  readonly #seen = new Set<Key>()

  /** @throws RowProblem */
  add(key: Key): void {
    if (this.#seen.has(key)) throw new RowProblem('It repeats an earlier row')
    this.#seen.add(key)
  }
}

/** What the rows of earlier files are called, and what was found in them. */
export class Known {
  readonly customers = new Numbering('customer')
  readonly contracts = new Numbering('contract')
  readonly contacts = new Numbering('contact')
  readonly messages = new Numbering('message')
  readonly tags = new Set<string>()
  /** Positions of customers in the trash. */
  readonly deletedCustomers = new Set<number>()
  /** The number of the current term of each contract, by its position. */
  readonly currentTerms = new Map<number, number>()
  /** The IDs of contracts with a PDF, by their positions. */
  readonly withPdf = new Map<number, number>()
  readonly found = { customers: 0, contracts: 0, inTrash: 0, waitingMessages: 0, leftOutViews: 0, missingPdfs: 0 }

  /** @throws RowProblem if a tag is not in the list of tags */
  needTags(used: readonly string[]): void {
    const unknown = used.find((tag) => !this.tags.has(tag))
    if (unknown !== undefined) throw new RowProblem(`There is no tag "${unknown}"`)
  }
}
