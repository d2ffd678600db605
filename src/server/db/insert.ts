import {
  BigIntType,
  BooleanType,
  DateTimeType,
  DateType,
  IntegerType,
  TextType,
  UuidType,
  type EntitySchema,
  type InferEntity,
} from '@mikro-orm/core'
import sql, { join, raw, type Sql } from 'sql-template-tag'
import { CheckedArray, CheckedJson } from './checked-columns.ts'
import { columnName } from './columns.ts'
import { withoutUndefined } from './without-undefined.ts'

type NameOf<Entity extends EntitySchema> = string & keyof InferEntity<Entity>

/**
 * `(account_id, name, …) values ($1, $2, …)`: a row for the entity's table. Undefined values become the column's
 * default.
 */
export function rowOf<Entity extends EntitySchema>(
  entity: Entity,
  row: { [Name in NameOf<Entity>]?: InferEntity<Entity>[Name] },
): Sql {
  const stored = withoutUndefined(row)
  return sql`(${columnNames(entity, stored)}) values (${join(Object.values(stored))})`
}

/** Many rows, one array for each column, as the table `i` with the entity's column names; `position` counts from 1. */
export function rowsOf<Entity extends EntitySchema>(
  entity: Entity,
  columns: { [Name in NameOf<Entity>]?: readonly (InferEntity<Entity>[Name] | null | undefined)[] },
): Sql {
  const arrays = Object.entries(columns).map(([name, values]) => sql`${values}::${raw(typeOf(entity, name))}[]`)
  return sql`unnest(${join(arrays)}) with ordinality as i(${columnNames(entity, columns)}, position)`
}

/**
 * Many rows as JSON, as the table `i` with the columns of these properties; `position` counts from 1. For columns that
 * are lists or JSON themselves, which `rowsOf` cannot have.
 */
export function recordsOf(entity: EntitySchema, properties: readonly string[], rows: readonly object[]): Sql {
  const names = columnNames(entity, Object.fromEntries(properties.map((name) => [name, true])))
  const types = properties.map((name) => `"${name}" ${recordTypeOf(entity, name)}`).join(', ')
  return sql`
    rows from (json_to_recordset(${JSON.stringify(rows)}::json) as (${raw(types)})) with ordinality as i(${names}, position)`
}

function recordTypeOf(entity: EntitySchema, name: string): string {
  const type = new Map<string, { type?: unknown }>(Object.entries(entity.meta.properties)).get(name)?.type
  if (type instanceof CheckedJson) return 'jsonb'
  return type instanceof CheckedArray ? `${type.element}[]` : typeOf(entity, name)
}

/** `name, customer_number, …`: the columns of these properties of the entity. */
export function columnNames({ meta }: EntitySchema, properties: object): Sql {
  const names = Object.keys(properties)
  const unknown = names.find((name) => !(name in meta.properties))
  if (unknown !== undefined) throw new Error(`${meta.className} has no ${unknown}`)
  return raw(names.map((name) => columnName(name)).join(', '))
}

function typeOf({ meta }: EntitySchema, name: string): string {
  const type = new Map<string, { type?: unknown }>(Object.entries(meta.properties)).get(name)?.type
  const found = TYPES.find(([kind]) => type === kind || type instanceof kind)
  if (!found) throw new Error(`${meta.className} has no ${name} of which a statement could insert many`)
  return found[1]
}

const TYPES = [
  [BigIntType, 'bigint'],
  [BooleanType, 'bool'],
  [DateTimeType, 'timestamptz'],
  [DateType, 'date'],
  [IntegerType, 'int'],
  [TextType, 'text'],
  [UuidType, 'uuid'],
] as const
