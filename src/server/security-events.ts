import type { FastifyInstance, FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { SecurityDetails, SecurityEvent } from './security-log.ts'

type Logged = [event: SecurityEvent, what?: SecurityDetails['what']]

/** What the security log says of a REST call that succeeded. */
export const ROUTE_EVENTS: Record<string, Logged> = {
  'POST /api-keys': ['key.created'],
  'DELETE /api-keys/:id': ['key.revoked'],
  'GET /export': ['data.exported', 'account'],
  'GET /customers/export.csv': ['data.exported', 'customers'],
  'GET /contracts/export.csv': ['data.exported', 'contracts'],
  'PUT /notifications/settings': ['settings.changed', 'reminders'],
  'PUT /notifications/texts/:kind': ['settings.changed', 'texts'],
  'DELETE /notifications/texts/:kind': ['settings.changed', 'texts'],
  'PUT /account/time-zone': ['settings.changed', 'time zone'],
  'DELETE /customers/:id': ['customer.deleted'],
  'DELETE /contracts/:id': ['contract.deleted'],
  'DELETE /contracts/:id/pdf': ['pdf.deleted'],
  'DELETE /imports/:id': ['import.undone'],
  'DELETE /account': ['account.deleted'],
}

/** The same of a procedure. */
export const PROCEDURE_EVENTS: Record<string, Logged> = {
  'identity.createApiKey': ['key.created'],
  'identity.revokeApiKey': ['key.revoked'],
  'identity.signOutOthers': ['sessions.ended'],
  'reminders.saveSettings': ['settings.changed', 'reminders'],
  'reminders.saveText': ['settings.changed', 'texts'],
  'reminders.resetText': ['settings.changed', 'texts'],
  'identity.setTimeZone': ['settings.changed', 'time zone'],
  'customers.remove': ['customer.deleted'],
  'contracts.remove': ['contract.deleted'],
  'imports.takeBack': ['import.undone'],
  'identity.deleteAccount': ['account.deleted'],
}

const WithId = z.object({ id: z.coerce.number() })

/** What an event is about, where its input says so. */
export function detailsOf([, what]: Logged, input: unknown): SecurityDetails {
  const { data } = WithId.safeParse(input)
  return { ...(data && { id: data.id }), ...(what && { what }) }
}

/** Logs the calls of this scope that succeeded, an export once the last of it is sent. */
export function logRestEvents(app: FastifyInstance): void {
  app.addHook('onResponse', async (request, { statusCode }) => {
    const logged = ROUTE_EVENTS[routeOf(request)]
    if (logged && statusCode < 300) request.context.security(logged[0], detailsOf(logged, request.params))
  })
}

function routeOf({ method, routeOptions }: FastifyRequest): string {
  return `${method} ${routeOptions.url}`
}
