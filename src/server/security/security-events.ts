import type { FastifyInstance, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { AppError, type RefusalKey } from '#shared/errors.ts'
import type { SecurityDetails, SecurityEvent, SecurityLog } from './security-log.ts'

type Logged = [event: SecurityEvent, what?: SecurityDetails['what']]

/** What the security log says of a REST call that succeeded. */
export const ROUTE_EVENTS: Record<string, Logged> = {
  'POST /bulk': ['contracts.deleted'],
  'POST /imports/archive': ['settings.changed', 'archive'],
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
  'bulk.start': ['contracts.deleted'],
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
  ACCOUNT_FULL: ['quota.refused'],
  PDFS_FULL: ['quota.refused'],
  REMINDER_ACCOUNT_LIMIT: ['quota.refused'],
  REMINDER_ADDRESS_LIMIT: ['quota.refused'],
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

/** Which part of a call has the ID that its event is about. Whatever else a caller calls `id` is no such ID. */
const ID_IS_IN: Partial<Record<SecurityEvent, keyof CallContent>> = {
  'key.created': 'output',
  'key.revoked': 'input',
  'data.exported': 'input',
  'customer.deleted': 'input',
  'contract.deleted': 'input',
  'contracts.deleted': 'output',
  'customer.purged': 'input',
  'contract.purged': 'input',
  'pdf.deleted': 'input',
  'import.undone': 'input',
}

/** Calls of which only some answers are logged: a preview changes nothing, and not every change of many is a deletion. */
const LOGGED_IF: Partial<Record<SecurityEvent | NonNullable<SecurityDetails['what']>, z.ZodType>> = {
  'contracts.deleted': z.object({ action: z.literal('delete') }),
  archive: z.object({ isPreview: z.literal(false) }),
}

/** Logs a call that succeeded, if it did what its event says. */
export function logDone(security: SecurityLog, [event, what]: Logged, content: CallContent): void {
  const wanted = LOGGED_IF[what ?? event]
  if (wanted && !wanted.safeParse(content.output).success) return
  const part = ID_IS_IN[event]
  const id = part && idOf(content[part])
  security(event, { ...(id !== undefined && { id }), ...(what && { what }) })
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
    logDone(request.context.security, logged, { input: request.params, output: answers.get(request) })
  })
  app.addHook('onError', async (request, _reply, error) => logRefusal(request.context, error, routeOf(request)))
}

function routeOf({ method, routeOptions }: FastifyRequest): string {
  return `${method} ${routeOptions.url}`
}
