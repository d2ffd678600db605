import { actionOf, type ActivityAction, type FieldChange, type FieldValue } from '#shared/domain/activity.ts'
import { amountFromCents, type Cents } from '#shared/domain/money.ts'
import type { ActorView } from './actor-name.ts'

export interface ActivityView {
  /** 0 for the creation, which comes before everything else. */
  id: number
  action: ActivityAction
  at: Date
  /** Null for customers and contracts that are older than this record. */
  by: ActorView | null
  /** What changed; for a deletion, what it was. */
  changes: FieldChange[]
}

/** The field that the actions `deleted` and `restored` stand for. */
export const DELETED_AT = 'deletedAt'

type ColumnValue = FieldValue | readonly string[]
type Columns = Readonly<Record<string, ColumnValue>>

/** Columns that people know by another name, in the order in which all of them are shown. */
const FIELDS: Record<string, string> = {
  customer_id: 'customer',
  amount_cents: 'amount',
  next_amount_cents: 'nextAmount',
  term_number: 'term',
  pdf_path: 'pdf',
}

/** The names of customers, by their IDs. */
export type CustomerNames = Readonly<Record<string, string>>

/** The changed columns as fields of the API: amounts in US dollars, a PDF as whether there is one, tags as a text. */
export function fieldChanges(before: Columns, after: Columns | null, customers: CustomerNames): FieldChange[] {
  return Object.keys(before).flatMap((column) => {
    const change = {
      field: FIELDS[column] ?? camelCase(column),
      before: valueOf(column, before[column] ?? null, customers),
      after: valueOf(column, after?.[column] ?? null, customers),
    }
    const isOfDeleted = after === null
    const isEmpty = isOfDeleted && (change.before === null || change.before === false)
    return isEmpty ? [] : [change]
  })
}

/** The action of a change, which is a deletion if nothing comes after it: for good, of one that was in the trash. */
export function actionOfRow(after: Columns | null, changes: readonly FieldChange[]): ActivityAction {
  if (after !== null) return actionOf(changes)
  return changes.some(({ field }) => field === DELETED_AT) ? 'removed' : 'deleted'
}

function valueOf(column: string, value: ColumnValue, customers: CustomerNames): FieldValue {
  if (isList(value)) return value.join(', ') || null
  if (column === 'pdf_path') return value !== null
  if (value === null) return null
  if (column === 'customer_id') return customers[String(value)] ?? `#${value}`
  // oxlint-disable-next-line typescript/consistent-type-assertions -- the column holds cents
  if (column.endsWith('_cents')) return amountFromCents(Number(value) as Cents)
  return value
}

function isList(value: ColumnValue): value is readonly string[] {
  return Array.isArray(value)
}

function camelCase(column: string): string {
  return column.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase())
}
