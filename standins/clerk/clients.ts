import sql from 'sql-template-tag'
import { ensureClient, type Call, type Route } from './call.ts'
import { deleteClient } from './client-store.ts'
import { environmentJson } from './environment.ts'
import { clientJson } from './resources.ts'
import { closeSessions } from './session-store.ts'

export const clientRoutes: Route[] = [
  { method: 'GET', path: '/v1/environment', bare: true, handle: environment },
  { method: 'PATCH', path: '/v1/environment', bare: true, handle: environment },
  { method: 'GET', path: '/v1/client', handle: clientJson },
  { method: 'PUT', path: '/v1/client', handle: create },
  { method: 'DELETE', path: '/v1/client', handle: destroy },
  { method: 'DELETE', path: '/v1/client/sessions', handle: signOut },
]

async function environment({ keys, origin }: Call) {
  return environmentJson(keys, origin)
}

async function create(call: Call) {
  await ensureClient(call)
  return clientJson(call)
}

async function destroy(call: Call) {
  if (call.client) await deleteClient(call.db, call.client)
  return null
}

async function signOut(call: Call) {
  if (call.client) await closeSessions(call.db, 'removed', sql`client_id = ${call.client.id}`)
  return clientJson(call)
}
