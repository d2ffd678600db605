import type { FastifyInstance } from 'fastify'
import { parse } from 'qs'

const FORM = 'application/x-www-form-urlencoded'

/** Lets this plugin, and nothing outside it, read forms. */
export function acceptForms(app: FastifyInstance): void {
  if (app.hasContentTypeParser(FORM)) app.removeContentTypeParser(FORM)
  app.addContentTypeParser(FORM, { parseAs: 'string' }, async (_request: unknown, body: string | Buffer) =>
    parseForm(body.toString()),
  )
}

/** Reads `line_items[0][price]=...`, from a body or from a query. */
export function parseForm(text: string): Record<string, unknown> {
  return parse(text, { depth: 10, arrayLimit: 100, parameterLimit: 2000 })
}

export function queryOf(url: string): Record<string, unknown> {
  const start = url.indexOf('?')
  return start < 0 ? {} : parseForm(url.slice(start + 1))
}
