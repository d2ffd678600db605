import { BigIntType, UnderscoreNamingStrategy, type EntitySchema, type InferEntity } from '@mikro-orm/core'
import { raw, type Sql } from 'sql-template-tag'

/** A row of the table as a statement answers it: instants are text. */
export type Stored<Entity> = { [Name in keyof Entity]-?: StoredValue<Exclude<Entity[Name], undefined>> }
type StoredValue<Value> = Value extends Date ? string : Value

const naming = new UnderscoreNamingStrategy()

/** `c.customer_number as "customerNumber", …`: columns of the entity's table, which the statement calls `table`. */
export function columnsOf<Entity extends EntitySchema, Name extends string & keyof InferEntity<Entity>>(
  { meta }: Entity,
  table: string,
  names: readonly Name[],
): Columns<Pick<Stored<InferEntity<Entity>>, Name>> {
  return raw(names.map((name) => `${table}.${columnOf(meta, name)} as "${name}"`).join(', '))
}

/** Columns of a statement, and what its rows then are. */
export type Columns<Row> = Sql & { row?: Row }

/** What a statement of these columns answers. */
export type RowOf<Of extends Columns<unknown>> = NonNullable<Of['row']>

function columnOf({ properties }: EntitySchema['meta'], name: string): string {
  const column = naming.propertyToColumnName(name)
  const type: unknown = new Map(Object.entries(properties)).get(name)?.type
  // Without it a bigint comes as text.
  return type instanceof BigIntType ? `${column}::float8` : column
}
