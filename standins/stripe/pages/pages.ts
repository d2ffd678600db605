import type { FastifyError, FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import type { Engine } from '#standins/stripe/engine.ts'
import { acceptForms } from '#standins/stripe/form.ts'
import { StripeProblem } from '#standins/stripe/problem.ts'
import { addCheckoutPages } from './checkout.ts'
import { addClockPages } from './clock.ts'
import { message } from './layout.ts'
import { isFromHere } from './own-origin.ts'
import { PageProblem } from './page-problem.ts'
import { addPortalPages } from './portal.ts'

const HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-store',
  'content-security-policy':
    "default-src 'none'; style-src 'unsafe-inline'; img-src data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  // Without a referrer a browser would not say where a form comes from.
  'referrer-policy': 'same-origin',
}

/** The pages that Stripe would host: plain forms, without a script. */
export function hostedPages(engine: Engine): FastifyPluginAsync {
  return async (app) => {
    acceptForms(app)
    app.addHook('onRequest', async (request, reply) => {
      reply.headers(HEADERS)
      if (request.method === 'POST' && !isFromHere(request)) throw new PageProblem(403, FOREIGN)
    })
    app.setErrorHandler<FastifyError>(answerError)
    app.setNotFoundHandler((_request, reply) => reply.status(404).send(NOT_FOUND))
    addCheckoutPages(app, engine)
    addPortalPages(app, engine)
    addClockPages(app, engine)
  }
}

const FOREIGN = message({ title: 'Not from here', text: 'This form was sent from another site, so nothing was done.' })
const NOT_FOUND = message({ title: 'Page not found', text: 'Nothing was found at this address.' })

function answerError(error: FastifyError | PageProblem | StripeProblem, request: FastifyRequest, reply: FastifyReply) {
  if (error instanceof PageProblem) return reply.status(error.status).send(error.page)
  const status = error instanceof StripeProblem ? error.status : (error.statusCode ?? 500)
  if (status >= 500) request.log.error({ err: error }, 'The Stripe stand-in failed')
  const text = status >= 500 ? 'Something went wrong. Nothing was charged.' : error.message
  return reply.status(status).send(message({ title: 'That did not work', text }))
}
