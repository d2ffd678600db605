import type { FastifyRequest } from 'fastify'
import type { z } from 'zod'

const READS = new Set(['GET', 'HEAD'])

/** What a call says, parsed by the schema that its tRPC twin uses: path and query where it reads, path and body where it writes. */
export function inputOf<Schema extends z.ZodType>(schema: Schema, request: FastifyRequest): z.output<Schema> {
  const said = READS.has(request.method) ? request.query : request.body
  return schema.parse({ ...part(said), ...part(request.params) })
}

function part(value: unknown): object {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {}
}
