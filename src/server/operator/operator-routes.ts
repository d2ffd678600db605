import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { $ZodError } from 'zod/v4/core'
import { AppError } from '#shared/errors.ts'
import { AccountSearch, SuspendAccount } from '#shared/schemas/operator.ts'
import { ById } from '#shared/schemas/fields.ts'
import type { RequestContext } from '#server/context.ts'
import { liftStop } from '#server/deliverability/mail-stops.service.ts'
import { callSecurity } from '#server/http/content-security.ts'
import { addressKey } from '#server/limits/address-key.ts'
import { countRequests } from '#server/limits/count-requests.ts'
import { answerError, refusalBody, refusalOf, statusOf } from '#server/rest/answers/errors.ts'
import { inputOf } from '#server/rest/input.ts'
import { logOfMail, logWrongToken } from '#server/security/security-log.ts'
import { ASKS_FOR_TOKEN, hasToken, isFromElsewhere } from './operator-access.ts'
import { accountPage, accountsPage, messagePage, OPERATOR_STYLE, overviewPage } from './operator-pages.ts'
import { endSuspension, findAccounts, getOperatedAccount, getOverview, suspendAccount } from './operator.service.ts'

interface OperatorOptions extends Pick<RequestContext, 'db' | 'services' | 'limits' | 'callers'> {
  origins: readonly string[]
  /** Without it there is no operator's page. */
  token: string | undefined
}

const LONGEST_FORM = 8192

/** The operator's page, for holders of `OPERATOR_TOKEN`: HTML for a browser, JSON for any other program. */
export async function operatorRoutes(app: FastifyInstance, { token, origins, limits, ...opened }: OperatorOptions) {
  if (token === undefined) return
  const ctx = { ...opened, db: opened.db.as('operator') }
  app.setErrorHandler(answerProblem)
  callSecurity(app)
  countRequests(app, limits)
  app.addHook('onRequest', async (request, reply) => {
    if (!hasToken(request, token)) {
      // A browser asks once without the token before it asks the person for it.
      if (request.headers.authorization !== undefined) {
        await limits.take('wrongCredentials', addressKey(request.ip))
        logWrongToken(request, 'operator token')
      }
      return reply
        .code(401)
        .headers(ASKS_FOR_TOKEN)
        .send(refusalBody(new AppError('NOT_SIGNED_IN')))
    }
    if (isFromElsewhere(request, origins)) throw new AppError('PATH_NOT_FOUND')
    return undefined
  })
  readForms(app)
  readingRoutes(app, ctx)
  changingRoutes(app, ctx)
}

type Operating = Pick<RequestContext, 'db' | 'services' | 'callers'>

function readingRoutes(app: FastifyInstance, ctx: Operating): void {
  app.get('/operator', async (request, reply) => {
    const overview = await getOverview(ctx.db, ctx.services.now())
    return wantsPage(request) ? sendPage(reply, overviewPage(overview)) : overview
  })

  app.get('/operator/accounts', async (request, reply) => {
    const { search } = inputOf(AccountSearch, request)
    const accounts = await findAccounts(ctx.db, search)
    return wantsPage(request) ? sendPage(reply, accountsPage(search, accounts)) : { accounts }
  })

  app.get('/operator/accounts/:id', async (request, reply) => {
    const account = await getOperatedAccount(ctx, inputOf(ById, request).id)
    return wantsPage(request) ? sendPage(reply, accountPage(account)) : account
  })
}

function changingRoutes(app: FastifyInstance, ctx: Operating): void {
  app.post('/operator/accounts/:id/suspend', async (request, reply) => {
    const { id, reason } = inputOf(SuspendAccount, request)
    await suspendAccount(ctx, id, { reason, now: ctx.services.now() })
    logOfMail(request.log, 'account.suspended', { actor: 'operator', account: id })
    return answerChange(request, reply, id)
  })

  app.post('/operator/accounts/:id/end-suspension', async (request, reply) => {
    const { id } = inputOf(ById, request)
    await endSuspension(ctx, id, ctx.services.now())
    logOfMail(request.log, 'account.resumed', { actor: 'operator', account: id })
    return answerChange(request, reply, id)
  })

  app.post('/operator/accounts/:id/resume-mail', async (request, reply) => {
    const { id } = inputOf(ById, request)
    await getOperatedAccount(ctx, id)
    // A job logs it, as it does where a command has resumed it.
    await liftStop(ctx, id, ctx.services.now())
    return answerChange(request, reply, id)
  })

  /** A browser goes on to the account, so that reloading the page changes nothing again. */
  async function answerChange(request: FastifyRequest, reply: FastifyReply, id: number) {
    if (wantsPage(request)) return reply.redirect(`/operator/accounts/${id}`, 303)
    return getOperatedAccount(ctx, id)
  }
}

function readForms(app: FastifyInstance): void {
  const type = 'application/x-www-form-urlencoded'
  app.addContentTypeParser(type, { parseAs: 'string', bodyLimit: LONGEST_FORM }, (_request, body, done) =>
    done(null, Object.fromEntries(new URLSearchParams(String(body)))),
  )
}

function wantsPage({ headers: { accept = '' } }: FastifyRequest): boolean {
  return accept.includes('text/html')
}

function sendPage(reply: FastifyReply, page: string) {
  return (
    reply
      .type('text/html; charset=utf-8')
      // Otherwise browsers hide the origin of a form.
      .header('referrer-policy', 'same-origin')
      .allowStyle(OPERATOR_STYLE)
      .send(page)
  )
}

function answerProblem(error: Error, request: FastifyRequest, reply: FastifyReply) {
  if (!wantsPage(request)) return answerError(error, request, reply)
  const refusal = error instanceof $ZodError ? new AppError('INPUT_INVALID') : refusalOf(error)
  if (!refusal) request.log.error({ err: error }, 'fault')
  const { message } = refusal ?? new AppError('FAULT')
  const problem = error instanceof $ZodError ? (error.issues[0]?.message ?? message) : message
  return sendPage(reply.code(refusal ? statusOf(refusal) : 500), messagePage('This did not work', problem))
}
