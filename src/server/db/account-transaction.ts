import type { PoolClient, QueryResult } from 'pg'
import { runBatch, type Statement } from './batch.ts'
import { asAccount, type Acting } from './read.ts'

const BEGIN: Statement = { text: 'begin', values: [] }

/** A transaction that begins together with its first statement: a write of one statement costs two round trips. */
export class AccountTransaction {
  readonly #client: PoolClient
  readonly #acting: Acting
  #hasBegun = false

  constructor(client: PoolClient, acting: Acting) {
    this.#client = client
    this.#acting = acting
  }

  /** The rows of a statement that is prepared once a connection. */
  async run<Row extends object>(statement: Statement): Promise<Row[]> {
    const rows = await runBatch<Row>(this.#client, [...this.#opening(), statement])
    return rows.at(-1) ?? []
  }

  /** A statement as MikroORM builds them, its values read as MikroORM expects them. */
  async query(text: string, values: readonly unknown[]): Promise<QueryResult> {
    const opening = this.#opening()
    if (opening.length > 0) await runBatch(this.#client, opening)
    return this.#client.query(text, [...values])
  }

  /** @throws where a failed statement, whose error nobody passed on, has turned the commit into a rollback. */
  async end(how: 'commit' | 'rollback'): Promise<void> {
    if (!this.#hasBegun) return
    const { command } = await this.#client.query(how)
    if (command.toLowerCase() !== how) throw new Error('The transaction had failed, and nothing was written')
  }

  #opening(): Statement[] {
    if (this.#hasBegun) return []
    this.#hasBegun = true
    return [BEGIN, asAccount(this.#acting)]
  }
}
