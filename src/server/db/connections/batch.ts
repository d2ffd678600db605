import pg, { type ClientBase, type Connection, type FieldDef, type Submittable } from 'pg'
import { traced } from '#server/tracing/spans.ts'
import { ofDatabase } from './failover.ts'
import { silentError, watchOf, type Watch } from './silence.ts'
import { wireValue } from './wire-value.ts'

export interface Statement {
  readonly text: string
  readonly values: readonly unknown[]
  /** False if it is planned anew each time, for its values. */
  readonly isPrepared?: boolean
}

/** The result of a statement. */
export interface Answer {
  rows: unknown[]
  /** How many rows it changed or selected. */
  rowCount: number
  /** What it did: PostgreSQL answers a commit of a failed transaction with ROLLBACK. */
  command: string
}

type ParserOf = (type: number) => Column['parse']

/**
 * Sends statements in one round trip and returns the result of each. The first that fails ends them all. If none of
 * them begins a transaction, together they are one, committed with the last. Days and instants come as text unless
 * `parserOf` says how to read values.
 */
export function runBatch(
  client: ClientBase,
  statements: readonly Statement[],
  parserOf: ParserOf = textParser,
): Promise<Answer[]> {
  const send = () => sendBatch(client, statements, parserOf)
  return traced('statements', send, () => ({ 'traxx.statements': statements.map(withoutValues) }))
}

/** A statement without values may have them in its text. */
function withoutValues({ text, values }: Statement): string {
  return values.length > 0 ? text : (text.trim().split(/\s/, 1)[0] ?? '')
}

function sendBatch(client: ClientBase, statements: readonly Statement[], parserOf: ParserOf): Promise<Answer[]> {
  return new Promise((done, fail) => {
    // Before anything is sent, so that a value that cannot be encoded does not leave half a message behind.
    const messages = statements.map(({ text, values, isPrepared = true }) => ({
      text,
      // Without values, either the statement is short, or MikroORM has put them into its text, which never comes again.
      name: isPrepared && values.length > 0 ? nameOf(text) : '',
      values: values.map(wireValue),
    }))
    client.query(new Batch({ messages, parserOf, watch: watchOf(client), done, fail }))
  })
}

/** The result of a statement before its response. */
export function noAnswer(): Answer {
  return { rows: [], rowCount: 0, command: '' }
}

interface Message {
  text: string
  /** The name under which it is prepared; empty if it is not. */
  name: string
  values: (string | null)[]
}

interface BatchOptions {
  messages: readonly Message[]
  parserOf: ParserOf
  watch: Watch | undefined
  done: (answers: Answer[]) => void
  fail: (error: unknown) => void
}

/** PostgreSQL's extended protocol with one Sync after all statements; pg itself sends one after each. */
class Batch implements Submittable {
  readonly #options: BatchOptions
  readonly #answers: Answer[]
  #columns: Column[] = []
  #ended = 0
  #connection: Connection | undefined
  #answered = () => {}

  constructor(options: BatchOptions) {
    this.#options = options
    this.#answers = options.messages.map(noAnswer)
  }

  submit(connection: Connection): null {
    this.#connection = connection
    const { messages, watch } = this.#options
    this.#answered = watch?.untilAnswered(() => connection.stream.destroy(silentError())) ?? this.#answered
    // One packet, one system call.
    connection.stream.cork()
    for (const message of messages) send(connection, message)
    connection.sync()
    connection.stream.uncork()
    return null
  }

  handleRowDescription({ fields }: { fields: FieldDef[] }): void {
    this.#columns = fields.map(({ name, dataTypeID }) => ({ name, parse: this.#options.parserOf(dataTypeID) }))
  }

  handleDataRow({ fields }: { fields: (string | null)[] }): void {
    this.#answers[this.#ended]?.rows.push(rowOf(this.#columns, fields))
  }

  handleCommandComplete({ text }: { text: string }): void {
    const answer = this.#answers[this.#ended]
    if (answer) {
      answer.rowCount = Number(/\d+$/.exec(text)?.[0] ?? 0)
      answer.command = text
    }
    this.#ended += 1
  }

  handleReadyForQuery(): void {
    this.#answered()
    const known = this.#connection && preparedOn(this.#connection)
    for (const { name } of this.#options.messages) if (name) known?.add(name)
    this.#options.done(this.#answers)
  }

  handleError(error: unknown): void {
    this.#answered()
    this.#options.fail(ofDatabase(error))
  }
}

interface Column {
  name: string
  parse: (value: string) => unknown
}

/** What each connection has prepared, by name: planning would be two thirds of the cost of a short statement. */
const prepared = new WeakMap<Connection, Set<string>>()

function preparedOn(connection: Connection): Set<string> {
  const known = prepared.get(connection) ?? new Set()
  prepared.set(connection, known)
  return known
}

function send(connection: Connection, { text, name, values }: Message): void {
  if (!preparedOn(connection).has(name)) {
    // A failed batch may have prepared it before it failed. Closing one that does not exist is no error.
    if (name) connection.close({ type: 'S', name }, true)
    connection.parse({ name, text, types: [] }, true)
  }
  connection.bind({ statement: name, values }, true)
  connection.describe({ type: 'P', name: '' }, true)
  connection.execute(null, true)
}

const MOST_NAMES = 500
const names = new Map<string, string>()

/** Empty if too many are prepared already: texts that keep varying would fill every connection. */
function nameOf(text: string): string {
  const known = names.get(text)
  if (known !== undefined || names.size >= MOST_NAMES) return known ?? ''
  const name = `statement_${names.size}`
  names.set(text, name)
  return name
}

function rowOf(columns: Column[], fields: (string | null)[]): Record<string, unknown> {
  const row: Record<string, unknown> = {}
  for (const [at, { name, parse }] of columns.entries()) {
    const field = fields[at] ?? null
    row[name] = field === null ? null : parse(field)
  }
  return row
}

const AS_TEXT: number[] = [pg.types.builtins.DATE, pg.types.builtins.TIMESTAMPTZ]

/** Statements cast amounts and counts to float8 or int themselves. */
function textParser(type: number): Column['parse'] {
  return AS_TEXT.includes(type) ? (value) => value : pgParser(type)
}

/** Reads values as pg itself does: days and instants as `Date`. */
export function pgParser(type: number): Column['parse'] {
  return pg.types.getTypeParser(type, 'text')
}
