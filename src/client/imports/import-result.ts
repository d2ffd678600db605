import * as z from 'zod/mini'
import { day } from '#shared/schemas/fields.ts'
import { RestFailure } from '#client/api/rest-failure.ts'

/** The response to a finished upload. */
export const ImportResult = z.object({
  importId: z.number(),
  created: z.number(),
  updated: z.number(),
  unchanged: z.number(),
  failed: z.number(),
  createdCustomers: z.number(),
  missingCustomers: z.number(),
  repeated: z.number(),
  errors: z.array(z.object({ line: z.number(), column: z.string(), value: z.string(), reason: z.string() })),
  ignoredColumns: z.array(z.string()),
})
export type ImportResult = z.output<typeof ImportResult>
export type RowError = ImportResult['errors'][number]

const Value = z.union([z.string(), z.number(), z.boolean(), z.null()])

const QuestionResponse = z.object({
  question: z.object({
    parameter: z.enum(['again', 'dateOrder', 'decimalMark', 'duplicates', 'existing', 'mapping', 'reminders']),
    choices: z.array(z.object({ value: z.string(), label: z.string() })),
    example: z.optional(z.object({ line: z.number(), column: z.string(), value: z.string() })),
    earlier: z.optional(
      z.object({
        createdAt: z.coerce.date(),
        created: z.number(),
        updated: z.number(),
        failed: z.number(),
        status: z.enum(['running', 'finished', 'interrupted']),
        throughLine: z.number(),
      }),
    ),
    mail: z.optional(
      z.object({
        emails: z.number(),
        customers: z.number(),
        isAll: z.boolean(),
        first: z.array(z.object({ customerName: z.string(), day: day('Must be a date') })),
      }),
    ),
    repeated: z.optional(
      z.object({
        rows: z.number(),
        first: z.array(z.object({ line: z.number(), earlierLine: z.number(), text: z.string() })),
      }),
    ),
    existing: z.optional(
      z.object({
        rows: z.number(),
        changed: z.number(),
        amountBefore: z.number(),
        amount: z.number(),
        failing: z.number(),
        fields: z.array(z.object({ field: z.string(), contracts: z.number() })),
        first: z.array(
          z.object({
            line: z.number(),
            reference: z.string(),
            customerName: z.string(),
            changes: z.array(z.object({ field: z.string(), before: Value, after: Value })),
          }),
        ),
      }),
    ),
    columns: z.optional(
      z.object({
        line: z.number(),
        lines: z.array(z.object({ line: z.number(), text: z.string() })),
        found: z.array(
          z.object({
            number: z.number(),
            heading: z.string(),
            samples: z.array(z.string()),
            field: z.nullable(z.string()),
          }),
        ),
        fields: z.array(z.object({ field: z.string(), label: z.string() })),
        needed: z.array(z.object({ label: z.string(), fields: z.array(z.string()) })),
        enough: z.nullable(z.string()),
      }),
    ),
  }),
})

export interface Question extends z.output<typeof QuestionResponse.shape.question> {
  /** The question in words. */
  text: string
}

/** The question that the server asks instead of importing the file. */
export function questionOf(error: unknown): Question | undefined {
  if (!(error instanceof RestFailure)) return undefined
  const { data } = QuestionResponse.safeParse(error.response)
  return data && { ...data.question, text: error.message }
}
