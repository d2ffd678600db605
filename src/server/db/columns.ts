import {
  BigIntType,
  BlobType,
  BooleanType,
  DateTimeType,
  DateType,
  IntegerType,
  TextType,
  UnderscoreNamingStrategy,
  UuidType,
  type EntitySchema,
  type InferEntity,
} from '@mikro-orm/core'
import { raw, type Sql } from 'sql-template-tag'
import { z } from 'zod'
import { CheckedArray, CheckedJson } from './checked-columns.ts'

/** A point in time, as any of the drivers or JSON represents it. */
export const instant = z.union([z.string(), z.date()]).transform((wire) => new Date(wire))

/** Columns of a statement, and the fields that they become in a row. */
export type Columns<Row> = Sql & { fields: { [Name in keyof Row]: z.ZodType<Row[Name]> } }

/** `c.customer_number as "customerNumber", …`: columns of the entity's table, for which `table` is the alias. */
export function columnsOf<Entity extends EntitySchema, Name extends string & keyof InferEntity<Entity>>(
  { meta }: Entity,
  table: string,
  names: readonly Name[],
): Columns<Pick<Described<InferEntity<Entity>>, Name>> {
  const selected = names.map((name) => [name, propertyOf(meta, name)] as const)
  const text = selected.map(([name, { column }]) => `${table}.${column} as "${name}"`).join(', ')
  const fields = Object.fromEntries(selected.map(([name, { field }]) => [name, field]))
  // oxlint-disable-next-line typescript/consistent-type-assertions -- what a column holds, its entity says; how it comes is checked
  return Object.assign(raw(text), { fields }) as Columns<Pick<Described<InferEntity<Entity>>, Name>>
}

type Described<Entity> = { [Name in keyof Entity]-?: Exclude<Entity[Name], undefined> }

const naming = new UnderscoreNamingStrategy()

/** The name of a property's column. */
export function columnName(property: string): string {
  return naming.propertyToColumnName(property)
}

function propertyOf({ properties }: EntitySchema['meta'], name: string): { column: string; field: z.ZodType } {
  const property = new Map<string, { type?: unknown; nullable?: boolean }>(Object.entries(properties)).get(name)
  const field = fieldOf(property?.type)
  if (!field) throw new Error(`No statement can select ${name}: columns of its type have no field`)
  const column = columnName(name)
  return {
    // Otherwise a bigint comes as text.
    column: property?.type instanceof BigIntType ? `${column}::float8` : column,
    field: property?.nullable ? field.nullable() : field,
  }
}

function fieldOf(type: unknown): z.ZodType | undefined {
  if (type instanceof CheckedJson || type instanceof CheckedArray) return type.content
  return FIELDS.find(([kind]) => type === kind || type instanceof kind)?.[1]
}

/** How the columns of each type come. */
const FIELDS = [
  [BigIntType, z.int()],
  [BlobType, z.instanceof(Uint8Array)],
  [BooleanType, z.boolean()],
  [DateTimeType, instant],
  [DateType, z.string()],
  [IntegerType, z.int()],
  [TextType, z.string()],
  [UuidType, z.uuid()],
] as const
