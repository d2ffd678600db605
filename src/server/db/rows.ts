import type { Sql } from 'sql-template-tag'
import { z } from 'zod'
import type { Statement } from './connections/batch.ts'
import type { AccountStatement, Planning, Read, WriteEach } from './database.ts'
import type { System } from './connections/system.ts'

/** A `Read` that checks the rows of `run`. */
export function checking(run: (statement: Sql, planning?: Planning) => Promise<unknown[]>): Read {
  function checked<Row>(statement: Sql, row: z.ZodType<Row>, planning?: Planning): Promise<Row[]>
  function checked(statement: Sql): Promise<unknown[]>
  async function checked(statement: Sql, row?: z.ZodType, planning?: Planning): Promise<unknown[]> {
    const rows = await run(statement, planning)
    return row ? checkRows(rows, row) : rows
  }
  return checked
}

/** The same for the statements of several accounts. */
export function checkingEach(run: (asked: readonly AccountStatement[]) => Promise<unknown[][]>): WriteEach {
  function checked<Row>(asked: readonly AccountStatement[], row: z.ZodType<Row>): Promise<Row[][]>
  function checked(asked: readonly AccountStatement[]): Promise<unknown[][]>
  async function checked(asked: readonly AccountStatement[], row?: z.ZodType): Promise<unknown[][]> {
    const answers = await run(asked)
    return row ? answers.map((rows) => checkRows(rows, row)) : answers
  }
  return checked
}

/** The rows of a statement across accounts, each checked by `row`. */
export async function readRows<Row>(system: System, statement: Statement, row: z.ZodType<Row>): Promise<Row[]> {
  const { rows } = await system.query(statement)
  return checkRows(rows, row)
}

/** Checks each row. @throws if a row differs from its schema, which is a bug */
function checkRows<Row>(rows: readonly unknown[], row: z.ZodType<Row>): Row[] {
  return rows.map((one) => {
    const checked = row.safeParse(one)
    if (checked.success) return checked.data
    // Not the zod error itself, which would be reported as invalid input.
    throw new Error(`A row is not as expected: ${z.prettifyError(checked.error)}`)
  })
}
