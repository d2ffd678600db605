import { createHash, timingSafeEqual } from 'node:crypto'
import type { FastifyError, FastifyInstance, FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import Stripe from 'stripe'
import { API_ROUTES } from './api-routes.ts'
import type { Endpoint } from './endpoint.ts'
import type { Engine } from './engine.ts'
import { expanded, splitExpand } from './expand.ts'
import { acceptForms, queryOf } from './form.ts'
import { earlierAnswer, keepAnswer, type Answer } from './idempotency.ts'
import { newId } from './ids.ts'
import { StripeProblem } from './problem.ts'
import type { Transaction } from './transaction.ts'

interface Call {
  endpoint: Endpoint
  id: string
  path: string
  form: Record<string, unknown>
  key: string | null
  requestId: string
}

/** Stripe's API: whatever is not 2xx has an `error` in its body, because the SDK goes by that alone. */
export function stripeApi(engine: Engine): FastifyPluginAsync {
  return async (app) => {
    acceptForms(app)
    app.addHook('onRequest', async (request, reply) => {
      reply.header('request-id', newId.request())
      reply.header('stripe-version', request.headers['stripe-version'] ?? Stripe.API_VERSION)
      requireKey(request, engine.settings.secretKey)
    })
    app.setErrorHandler<FastifyError>(answerError)
    app.setNotFoundHandler((request) => {
      throw new StripeProblem(404, `Unrecognized request URL (${request.method}: ${request.url.split('?')[0]}).`)
    })
    for (const route of API_ROUTES) addRoute(app, engine, route)
  }
}

function addRoute(app: FastifyInstance, engine: Engine, { method, path, endpoint }: (typeof API_ROUTES)[number]): void {
  const answer = method === 'GET' ? answerRead : answerWrite
  app.route<{ Params: { id?: string }; Body: Record<string, unknown> | undefined }>({
    method,
    url: path,
    async handler(request, reply) {
      const form = method === 'POST' ? (request.body ?? {}) : queryOf(request.url)
      const key = method === 'POST' ? (request.headers['idempotency-key']?.toString() ?? null) : null
      const requestId = String(reply.getHeader('request-id'))
      const id = request.params.id ?? ''
      const call = { endpoint, id, path: request.url.split('?')[0] ?? '', form, key, requestId }
      const { status, body, requestId: original } = await answer(engine, call)
      if (original !== requestId) reply.headers({ 'idempotent-replayed': 'true', 'original-request': original })
      return reply.status(status).send(body)
    },
  })
}

function answerRead(engine: Engine, call: Call): Promise<Answer> {
  return engine.read((tx) => answerOf(tx, call))
}

function answerWrite(engine: Engine, call: Call): Promise<Answer> {
  const { key, path, form: input } = call
  return engine.write(
    async (tx) => {
      if (key === null) return answerOf(tx, call)
      const asked = { key, path, input }
      const earlier = await earlierAnswer(tx, asked)
      if (earlier) return earlier
      const answer = await answerOf(tx, call)
      await keepAnswer(tx, asked, answer)
      return answer
    },
    { id: call.requestId, idempotency_key: key },
  )
}

// A refusal rolls the transaction back by being thrown, except where what was tried is to be on record.
async function answerOf(tx: Transaction, { endpoint, form, id, requestId }: Call): Promise<Answer> {
  try {
    const { paths, rest } = splitExpand(form)
    const body = await expanded(tx, await endpoint(tx, rest, id), paths)
    return { status: 200, body, requestId }
  } catch (error) {
    if (error instanceof StripeProblem && error.keepsChanges)
      return { status: error.status, body: error.body, requestId }
    throw error
  }
}

function requireKey(request: FastifyRequest, secretKey: string): void {
  const key = keyOf(request.headers.authorization)
  if (key === null) {
    throw new StripeProblem(
      401,
      'You did not provide an API key. You need to provide your API key in the Authorization header.',
    )
  }
  if (!timingSafeEqual(digest(key), digest(secretKey))) {
    throw new StripeProblem(401, `Invalid API Key provided: ${key.slice(0, 8)}****${key.slice(-4)}`)
  }
}

function keyOf(authorization = ''): string | null {
  const [scheme, credentials = ''] = authorization.split(' ')
  if (scheme === 'Bearer') return credentials || null
  if (scheme === 'Basic') return Buffer.from(credentials, 'base64').toString().split(':')[0] || null
  return null
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}

function answerError(error: FastifyError | StripeProblem, request: FastifyRequest, reply: FastifyReply) {
  if (error instanceof StripeProblem) return reply.status(error.status).send(error.body)
  const status = error.statusCode ?? 500
  if (status < 500) return reply.status(status).send(new StripeProblem(status, error.message).body)
  request.log.error({ err: error }, 'The Stripe stand-in failed')
  return reply.status(500).send(new StripeProblem(500, 'An unknown error occurred', { type: 'api_error' }).body)
}
