import type { FastifyInstance } from 'fastify'

/** JSON as Fastify reads it, but an empty body is none: many clients name its type where they send nothing. */
export function readJson(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error')
  app.addContentTypeParser<string>('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (body === '') done(null)
    else void parse(request, body, done)
  })
}
