import type { EntityManager, MikroORM } from '@mikro-orm/postgresql'
import type { Sql } from 'sql-template-tag'
import type { z } from 'zod'
import type { Actor } from './actor.ts'
import type { System, SystemTransactions } from './connections/system.ts'

/** Runs one statement. */
export interface Read {
  /** Returns its rows, each checked by `row`. */
  <Row>(statement: Sql, row: z.ZodType<Row>, planning?: Planning): Promise<Row[]>
  /** Rows that are only counted. */
  (statement: Sql): Promise<unknown[]>
}

/** Runs one statement that may change rows, in an account's transaction. */
export interface Write extends Read {
  /**
   * Runs a statement whose rows nobody reads in one round trip with the next statement, or with the commit. If it fails, so
   * does that.
   */
  later(statement: Sql): Promise<void>
}

/**
 * When a statement is planned: once for all accounts, if it has one good plan; or each time with its values, if the best
 * plan depends on the number of rows.
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
  /**
   * Reads as the app role; the account's row-level security is set for the one statement's transaction. It hides what is
   * in the trash, unless it is asked for.
   */
  readAs(accountId: number, options?: { trash?: boolean }): Read
  /** One transaction for one account, of entities and statements. */
  writeAs<T>(accountId: number, work: (em: EntityManager, write: Write) => Promise<T>): Promise<T>
  /** One transaction for several accounts. Each statement sees only its own account. */
  writeTogether<T>(work: (write: WriteEach) => Promise<T>): Promise<T>
  /** Only for identity, webhooks, and jobs, which work across accounts. Sees only the tables they need. */
  readonly system: System & SystemTransactions
  /**
   * The same for statements that may wait for rows of this account: on connections of their own, one of an account at a
   * time, so that what one account waits for holds up no other. @throws ACCOUNT_BUSY after five seconds of waiting for a lock,
   * TOO_MANY_AT_ONCE
   */
  systemFor(accountId: number): System & SystemTransactions
  /** As `system`, failing at once while the database cannot be reached: for what then does without. */
  readonly systemNow: System
  /**
   * Runs `work` while no other process runs work of the same name. It holds no transaction open.
   * @throws TOO_MANY_AT_ONCE if too much of this name is waiting already
   */
  oneAtATime<T>(name: string, work: () => Promise<T>): Promise<T>
  /** Runs a job's work, or returns false if a process is already running it. */
  unlessRunning(name: string, work: () => Promise<void>): Promise<boolean>
  readonly orm: MikroORM
  close(): Promise<void>
}
