import { request } from 'node:http'
import { text } from 'node:stream/consumers'
import type { PoolConfig } from 'pg'
import { buildApp } from '#server/app.ts'
import { openDatabase } from '#server/db/database.ts'
import { openCallers } from '#server/identity/callers.ts'
import type { Answer } from '#support/fuzz/fuzz-calls.ts'
import type { Call, Route } from '#support/fuzz/hostile-calls.ts'
import { callableRoutes, routeList } from '#support/routes.ts'
import { fakeServices } from '#support/services.ts'

const LONGEST_ANSWER_MS = 120_000

/** Sends calls over a socket as they are written, which fetch would not. */
export function senderTo(port: number): (call: Call) => Promise<Answer> {
  return ({ method, path, headers, body }) =>
    new Promise((done, fail) => {
      const signal = AbortSignal.timeout(LONGEST_ANSWER_MS)
      const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }
      const sent = request({ host: '127.0.0.1', port, method, path, headers: { ...headers, ...length }, signal })
      sent.on('error', fail)
      sent.on('response', (answer) => {
        const { statusCode: status = 0, headers: told } = answer
        text(answer).then((said) => done({ status, type: told['content-type'] ?? '', text: said }), fail)
      })
      sent.end(body)
    })
}

/** What the server can be called by, read from one in this process. */
export async function routesOf(connection: PoolConfig): Promise<Route[]> {
  await using stack = new AsyncDisposableStack()
  const db = await openDatabase(connection)
  stack.defer(() => db.close())
  const services = fakeServices()
  const { routes, plugin } = routeList()
  const pages = { folder: undefined, text: async (file: string) => file }
  const callers = openCallers(db, services)
  const app = await buildApp({ db, services, callers, origins: [''], logLevel: 'silent', pages, plugins: [plugin] })
  stack.defer(() => app.close())
  await app.ready()
  return callableRoutes(routes)
}
