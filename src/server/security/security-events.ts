import type { FastifyInstance, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { AppError, type RefusalKey } from '#shared/errors.ts'
import type { SecurityDetails, SecurityEvent, SecurityLog } from './security-log.ts'

type Logged = [event: SecurityEvent, what?: SecurityDetails['what']]

/** What the security log says of a REST call that succeeded. */
export const ROUTE_EVENTS: Record<string, Logged> = {
  'POST /api-keys': ['key.created'],
  'DELETE /api-keys/:id': ['key.revoked'],
  'GET /export': ['data.exported', 'account'],
  'GET /customers/export.csv': ['data.exported', 'customers'],
  'GET /contracts/export.csv': ['data.exported', 'contracts'],
  'GET /imports/:id/errors.csv': ['data.exported', 'failed rows'],
  'PUT /notifications/settings': ['settings.changed', 'reminders'],
  'PUT /notifications/texts/:kind': ['settings.changed', 'texts'],
  'DELETE /notifications/texts/:kind': ['settings.changed', 'texts'],
  'PUT /account/renewal-settings': ['settings.changed', 'renewals'],
  'PUT /account/answer-settings': ['settings.changed', 'answers'],
  'PUT /account/proof-head': ['settings.changed', 'proof head'],
  'POST /notice-rules': ['settings.changed', 'notice rules'],
  'POST /notice-rules/adopt': ['settings.changed', 'notice rules'],
  'PUT /notice-rules/chosen': ['settings.changed', 'notice rules'],
  'PUT /notice-rules/:id': ['settings.changed', 'notice rules'],
  'DELETE /notice-rules/:id': ['settings.changed', 'notice rules'],
  'PUT /account/time-zone': ['settings.changed', 'time zone'],
  'PUT /account/company': ['settings.changed', 'company'],
  'POST /account/company/logo': ['settings.changed', 'logo'],
  'DELETE /account/company/logo': ['settings.changed', 'logo'],
  'POST /account/company/reply-to/confirm': ['settings.changed', 'reply-to'],
  'DELETE /customers/:id': ['customer.deleted'],
  'DELETE /contracts/:id': ['contract.deleted'],
  'DELETE /trash/customers/:id': ['customer.purged'],
  'DELETE /trash/contracts/:id': ['contract.purged'],
  'DELETE /contracts/:id/pdf': ['pdf.deleted'],
  'DELETE /imports/:id': ['import.undone'],
  'DELETE /account': ['account.deleted'],
}

/** The same of a procedure. */
export const PROCEDURE_EVENTS: Record<string, Logged> = {
  'identity.createApiKey': ['key.created'],
  'identity.revokeApiKey': ['key.revoked'],
  'identity.endSession': ['sessions.ended'],
  'identity.signOutOthers': ['sessions.ended'],
  'reminders.saveSettings': ['settings.changed', 'reminders'],
  'reminders.saveText': ['settings.changed', 'texts'],
  'reminders.resetText': ['settings.changed', 'texts'],
  'contracts.saveRenewalSettings': ['settings.changed', 'renewals'],
  'answers.saveSettings': ['settings.changed', 'answers'],
  'reminders.saveProofHead': ['settings.changed', 'proof head'],
  'noticeRules.make': ['settings.changed', 'notice rules'],
  'noticeRules.adopt': ['settings.changed', 'notice rules'],
  'noticeRules.change': ['settings.changed', 'notice rules'],
  'noticeRules.remove': ['settings.changed', 'notice rules'],
  'noticeRules.choose': ['settings.changed', 'notice rules'],
  'identity.setTimeZone': ['settings.changed', 'time zone'],
  'company.update': ['settings.changed', 'company'],
  'company.removeLogo': ['settings.changed', 'logo'],
  'company.confirmReplyTo': ['settings.changed', 'reply-to'],
  'customers.remove': ['customer.deleted'],
  'contracts.remove': ['contract.deleted'],
  'trash.removeCustomer': ['customer.purged'],
  'trash.removeContract': ['contract.purged'],
  'imports.undo': ['import.undone'],
  'identity.deleteAccount': ['account.deleted'],
}

/** What the log says of a call that was refused. */
const REFUSAL_EVENTS: Partial<Record<RefusalKey, [event: SecurityEvent, reason?: SecurityDetails['reason']]>> = {
  API_KEY_REFUSED: ['scope.refused'],
  API_KEY_SCOPE_TOO_NARROW: ['scope.refused'],
  REVERIFICATION_REQUIRED: ['reverification.refused'],
  WEBHOOK_UNSIGNED: ['webhook.refused', 'unsigned'],
  WEBHOOK_STALE: ['webhook.refused', 'stale'],
  WEBHOOK_REPEATED: ['webhook.refused', 'repeated'],
}

const WEBHOOKS: Record<string, 'stripe' | 'mail'> = {
  'POST /stripe/webhook': 'stripe',
  'POST /mail/webhook': 'mail',
}

const WithId = z.object({ id: z.coerce.number() })

interface CallContent {
  input: unknown
  output: unknown
}

/** The ID that an event is about: from its input, or from the answer for what was created. */
export function detailsOf([, what]: Logged, { input, output }: CallContent): SecurityDetails {
  const id = idOf(input) ?? idOf(output)
  return { ...(id !== undefined && { id }), ...(what && { what }) }
}

function idOf(value: unknown): number | undefined {
  return WithId.safeParse(value).data?.id
}

/** Logs a refusal that an operator should know of; `call` is the route or the procedure. */
export function logRefusal(ctx: { security: SecurityLog }, error: unknown, call: string): void {
  const logged = error instanceof AppError ? REFUSAL_EVENTS[error.key] : undefined
  if (!logged) return
  const [event, reason] = logged
  const what = WEBHOOKS[call]
  ctx.security(event, { ...(what && { what }), ...(reason ? { reason } : { call }) })
}

/** Logs the calls of this scope that succeeded, an export once the last of it is sent, and those that were refused. */
export function logRestEvents(app: FastifyInstance): void {
  const answers = new WeakMap<FastifyRequest, unknown>()
  app.addHook('preSerialization', async (request, _reply, answer) => {
    if (ROUTE_EVENTS[routeOf(request)]) answers.set(request, answer)
    return answer
  })
  app.addHook('onResponse', async (request, { statusCode }) => {
    const logged = ROUTE_EVENTS[routeOf(request)]
    if (!logged || statusCode >= 300) return
    const details = detailsOf(logged, { input: request.params, output: answers.get(request) })
    request.context.security(logged[0], details)
  })
  app.addHook('onError', async (request, _reply, error) => logRefusal(request.context, error, routeOf(request)))
}

function routeOf({ method, routeOptions }: FastifyRequest): string {
  return `${method} ${routeOptions.url}`
}
