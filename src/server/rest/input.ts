import type { FastifyRequest } from 'fastify'
import type { z } from 'zod'

/** Everything a call says, parsed by the schema that its tRPC twin uses; what stands in the path wins. */
export function inputOf<Schema extends z.ZodType>(schema: Schema, request: FastifyRequest): z.output<Schema> {
  return schema.parse({ ...part(request.query), ...part(request.body), ...part(request.params) })
}

function part(value: unknown): object {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {}
}
