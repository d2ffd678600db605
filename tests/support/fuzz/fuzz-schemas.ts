import { z } from 'zod'
import { randomFrom } from '#support/random.ts'
import { everyProcedure, everyRoute, type Route } from './hostile-calls.ts'
import { changedInOneField } from './one-field.ts'
import { plainInput, type Records } from './plain-values.ts'

export interface SchemaReport {
  inputs: number
  schemas: number
  faults: string[]
}

interface SchemaOptions {
  seed: number
  /** For the schema of each call. */
  runs: number
  records: Records
}

const LONGEST_SHOWN = 200

/**
 * Parses hostile inputs by the schema of each route and procedure, without a server: each either passes or is refused, and
 * none makes a schema throw anything else. A schema that several calls share is tried once.
 */
export function fuzzSchemas(routes: Route[], { seed, runs, records }: SchemaOptions): SchemaReport {
  const calls = [...everyRoute(routes), ...everyProcedure()]
  const bySchema = new Map(calls.flatMap((call) => (call.parser ? [[call.parser, call] as const] : [])))
  const report: SchemaReport = { inputs: 0, schemas: bySchema.size, faults: [] }
  const random = randomFrom(seed)
  for (const [parser, { name, schema }] of bySchema) {
    const plain = plainInput(schema, name, records)
    const last = report.inputs + runs
    while (report.inputs < last) {
      for (const input of Object.values(changedInOneField(schema, plain, random)).flat()) {
        report.inputs += 1
        const fault = faultOf(parser, input)
        if (fault)
          report.faults.push(`${name}: ${fault}; ${JSON.stringify(input).slice(0, LONGEST_SHOWN)}; seed ${seed}`)
      }
    }
  }
  return report
}

function faultOf(parser: z.core.$ZodType, input: unknown): string | undefined {
  try {
    z.safeParse(parser, input)
    return undefined
  } catch (error) {
    return String(error)
  }
}
