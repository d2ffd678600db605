import { z } from 'zod'

export type Schema = Exclude<z.core.JSONSchema._JSONSchema, boolean>

/**
 * What a caller may send, as JSON Schema. Of a field that is transformed before it is checked, as a word in any case,
 * the words and the length stand in what comes out.
 */
export function inputSchemaOf(schema: z.core.$ZodType): Schema {
  return merged(jsonSchemaOf(schema, 'input'), jsonSchemaOf(schema, 'output'))
}

function jsonSchemaOf(schema: z.core.$ZodType, io: 'input' | 'output'): Schema {
  return z.toJSONSchema(schema, { io, unrepresentable: 'any' })
}

function merged(input: Schema, output: Schema): Schema {
  if (Array.isArray(input.type)) {
    const [first = 'null', ...others] = input.type
    return { anyOf: [merged({ ...input, type: first }, output), ...others.map((type) => ({ type }))] }
  }
  if (input.properties) {
    const properties = Object.entries(input.properties).map(([name, field]) => [
      name,
      merged(known(field), known(output.properties?.[name])),
    ])
    return { ...input, properties: Object.fromEntries(properties) }
  }
  if (input.type !== 'string') return input
  const { enum: words = output.enum, maxLength = output.maxLength, ...others } = input
  return { ...others, ...(words && { enum: words }), ...(maxLength !== undefined && { maxLength }) }
}

/** A schema; one that lets everything through where there is none. */
export function known(schema: z.core.JSONSchema._JSONSchema | undefined): Schema {
  return typeof schema === 'object' ? schema : {}
}
