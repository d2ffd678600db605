import { request } from 'node:http'
import { text } from 'node:stream/consumers'
import type { PoolConfig } from 'pg'
import { buildApp } from '#server/boot/build-app.ts'
import { openDatabase } from '#server/boot/open-database.ts'
import { openCallers } from '#server/identity/callers.ts'
import type { Answer, Call } from '#support/fuzz/call.ts'
import type { Route } from '#support/fuzz/hostile-calls.ts'
import { callableRoutes, routeList } from '#support/routes.ts'
import { fakeServices } from '#support/services.ts'

const LONGEST_ANSWER_MS = 300_000
const MOST_TRIES = 5
/** What app.ts lets through. */
const BODY_LIMIT = 1_048_576

/** Sends calls over a socket as they are written, which fetch would not. */
export function senderTo(port: number): (call: Call) => Promise<Answer> {
  return async (call) => {
    for (let tries = 1; ; tries += 1) {
      try {
        return await answerTo(port, call)
      } catch (error) {
        if (tries === MOST_TRIES || !isCutShort(call, error)) throw error
      }
    }
  }
}

/** Once a body is too large the connection ends, at times before the answer is read. */
function isCutShort({ body = '' }: Call, error: unknown): boolean {
  return body.length > BODY_LIMIT && ['EPIPE', 'ECONNRESET'].includes(String(Reflect.get(Object(error), 'code')))
}

function answerTo(port: number, { method, path, headers, body }: Call): Promise<Answer> {
  return new Promise((done, fail) => {
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

/** What the server can be called by, read from one in this process that has an operator's page. */
export async function routesOf(connection: PoolConfig): Promise<Route[]> {
  await using stack = new AsyncDisposableStack()
  const db = await openDatabase(connection)
  stack.defer(() => db.close())
  const services = fakeServices()
  const { routes, plugin } = routeList()
  const pages = { folder: undefined, text: async (file: string) => file }
  const callers = openCallers(db, services)
  const opened = { db, services, callers, pages, plugins: [plugin] }
  const app = await buildApp({ ...opened, origins: [''], logLevel: 'silent', operatorToken: 'any' })
  stack.defer(() => app.close())
  await app.ready()
  return callableRoutes(routes)
}
