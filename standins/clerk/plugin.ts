import type { FastifyError, FastifyInstance } from 'fastify'
import { ClerkError } from './errors.ts'

const LARGEST_BODY = 64 * 1024

/** What the answers of both APIs have in common; nothing of it reaches the app around the plugin. */
export function asClerkAnswers(app: FastifyInstance): void {
  acceptBodies(app)
  app.addHook('onSend', async (_request, reply) => {
    // @clerk/backend reads an answer as JSON only where its type is exactly this, without a charset.
    if (reply.getHeader('content-type') === 'application/json; charset=utf-8') reply.type('application/json')
  })
  app.setErrorHandler<FastifyError>((error, request, reply) => {
    const refusal = error instanceof ClerkError ? error : refusalOf(error)
    if (refusal.status === 500) request.log.error(error)
    return reply.code(refusal.status).send(refusal.toJSON())
  })
  app.setNotFoundHandler((_request, reply) => {
    const refusal = new ClerkError('resource_not_found')
    return reply.code(refusal.status).send(refusal.toJSON())
  })
}

/** Clerk's SDKs name a type for bodies that are empty, too. */
function acceptBodies(app: FastifyInstance): void {
  const options = { parseAs: 'string', bodyLimit: LARGEST_BODY } as const
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/x-www-form-urlencoded', options, async (_request: unknown, body: string) =>
    Object.fromEntries(new URLSearchParams(body)),
  )
  app.addContentTypeParser('application/json', options, async (_request: unknown, body: string) => readJson(body))
}

function readJson(body: string): unknown {
  try {
    return body === '' ? {} : JSON.parse(body)
  } catch {
    throw new ClerkError('request_body_invalid')
  }
}

function refusalOf({ statusCode = 500 }: FastifyError): ClerkError {
  return new ClerkError(statusCode < 500 ? 'request_body_invalid' : 'internal_clerk_error')
}
