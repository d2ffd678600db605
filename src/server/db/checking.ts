import type { Sql } from 'sql-template-tag'
import type { z } from 'zod'
import { checkRows } from './check-rows.ts'
import type { Asked, Planning, Read, WriteEach } from './database.ts'

/** A `Read` that checks what `run` answers. */
export function checking(run: (statement: Sql, planning?: Planning) => Promise<unknown[]>): Read {
  function read<Row>(statement: Sql, row: z.ZodType<Row>, planning?: Planning): Promise<Row[]>
  function read(statement: Sql): Promise<unknown[]>
  function read<Row extends object>(statement: Sql, planning?: Planning): Promise<Row[]>
  async function read(statement: Sql, row?: z.ZodType | Planning, planning?: Planning): Promise<unknown[]> {
    if (typeof row !== 'object') return run(statement, row)
    return checkRows(await run(statement, planning), row)
  }
  return read
}

/** The same for the statements of several accounts. */
export function checkingEach(run: (asked: readonly Asked[]) => Promise<unknown[][]>): WriteEach {
  function write<Row>(asked: readonly Asked[], row: z.ZodType<Row>): Promise<Row[][]>
  function write(asked: readonly Asked[]): Promise<unknown[][]>
  function write<Row extends object>(asked: readonly Asked[]): Promise<Row[][]>
  async function write(asked: readonly Asked[], row?: z.ZodType): Promise<unknown[][]> {
    const answers = await run(asked)
    return row ? answers.map((rows) => checkRows(rows, row)) : answers
  }
  return write
}
