import type { EntityManager, MikroORM } from '@mikro-orm/postgresql'
import type { Sql } from 'sql-template-tag'
import type { z } from 'zod'
import type { Actor } from './actor.ts'
import type { System } from './connections/system.ts'

/** Runs one statement. */
export interface Read {
  /** Returns its rows, each checked by `row`. */
  <Row>(statement: Sql, row: z.ZodType<Row>, planning?: Planning): Promise<Row[]>
  /** Its rows say no more than how many they are. */
  (statement: Sql): Promise<unknown[]>
}

/**
 * Once for all accounts, which suits a statement that has one good plan; or each time for its values, where what is
 * good depends on how many rows there are.
 */
export type Planning = 'once' | 'each time'

export interface AccountStatement {
  accountId: number
  statement: Sql
}

/** Runs the statements in one round trip, each under the row-level security of its account. Returns the rows of each. */
export interface WriteEach {
  <Row>(asked: readonly AccountStatement[], row: z.ZodType<Row>): Promise<Row[][]>
  (asked: readonly AccountStatement[]): Promise<unknown[][]>
}

export interface Database {
  /** The same database, whose transactions name this actor. */
  as(actor: Actor): Database
  /** Reads as the app role; the account's row-level security is set for the one statement's transaction. */
  readAs(accountId: number): Read
  /** One transaction in which entities are written and rows read, for one account. */
  writeAs<T>(accountId: number, work: (em: EntityManager, read: Read) => Promise<T>): Promise<T>
  /** One transaction for several accounts, whose every statement sees but the account that it is for. */
  writeTogether<T>(work: (write: WriteEach) => Promise<T>): Promise<T>
  /** For identity, webhooks and jobs alone, which work across accounts; it sees only the tables they need. */
  readonly system: System
  /**
   * Runs `work` while no other process runs work of the same name. It holds no transaction open.
   * @throws TOO_MANY_AT_ONCE where too much of this name waits already
   */
  oneAtATime<T>(name: string, work: () => Promise<T>): Promise<T>
  /** Runs a job's work, or answers false where some process runs work of the same name. */
  unlessRunning(name: string, work: () => Promise<void>): Promise<boolean>
  readonly orm: MikroORM
  close(): Promise<void>
}
