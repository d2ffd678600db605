import { once } from 'node:events'
import { createServer } from 'node:http'
import { afterAll, expect, test } from 'vitest'
import { z } from 'zod'
import { freePort, SERVER, startApp, WORKER } from '#support/app-process.ts'
import { urlOf } from '#support/full-server.ts'
import { useServerProcess } from '#support/server-process.ts'
import { anApiKey, anAccount, useWorld } from '#support/world.ts'

const Attribute = z.object({ key: z.string(), value: z.unknown() })
const Span = z.object({ traceId: z.string(), name: z.string(), attributes: z.array(Attribute).default([]) })
const Export = z.object({
  resourceSpans: z.array(z.object({ scopeSpans: z.array(z.object({ spans: z.array(Span) })) })),
})

/** What the collector has got. */
const bodies: string[] = []
const collector = createServer((request, response) => {
  const parts: Buffer[] = []
  request.on('data', (part: Buffer) => parts.push(part))
  request.on('end', () => {
    bodies.push(Buffer.concat(parts).toString())
    response.setHeader('content-type', 'application/json').end('{}')
  })
}).listen(0, '127.0.0.1')
await once(collector, 'listening')
const address = collector.address()
const port = typeof address === 'object' && address ? address.port : 0
afterAll(() => collector.close())

const world = useWorld()
const server = useServerProcess(world, {
  OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}`,
  OTEL_BSP_SCHEDULE_DELAY: '100',
  LOG_LEVEL: 'info',
})

function spans(sent = bodies) {
  return sent.flatMap((body) =>
    Export.parse(JSON.parse(body)).resourceSpans.flatMap(({ scopeSpans }) =>
      scopeSpans.flatMap((scope) => scope.spans),
    ),
  )
}

test('a request is a trace of its route and its statements, which the log names, without what was searched for', async () => {
  const key = await anApiKey(await anAccount(world))
  const url = `${server.origin}/customers?search=lovelace`
  const answer = await fetch(url, { headers: { authorization: `Bearer ${key}` } })
  expect(answer.status).toBe(200)
  await expect.poll(() => spans().map(({ name }) => name)).toContain('GET /customers')
  const request = spans().find(({ name }) => name === 'GET /customers')
  const ofRequest = () => spans().filter(({ traceId }) => traceId === request?.traceId)
  await expect.poll(() => ofRequest().map(({ name }) => name)).toContain('statements')
  const texts = ofRequest().flatMap(({ attributes }) => attributes.filter(({ key }) => key === 'traxx.statements'))
  expect(JSON.stringify(texts)).toContain('from customers')
  expect(bodies.join('')).not.toMatch(/lovelace|user_agent|client\.address|"url\.|db\.statement|db\.query/)
  expect(server.app.output()).toContain(`"traceId":"${request?.traceId}"`)
})

test.each([
  { what: 'server', program: SERVER, greeting: 'TRAXX is ready at', span: 'GET /readyz' },
  { what: 'worker', program: WORKER, greeting: 'TRAXX plans and sends', span: 'job:plan-reminders' },
])('what a $what has not sent yet is sent when it stops', async ({ program, greeting, span }) => {
  const before = bodies.length
  const PORT = String(await freePort())
  const variables = {
    NODE_ENV: 'test',
    PORT,
    DATABASE_URL: urlOf(world.connection),
    DATA_DIR: `.data/test-${PORT}`,
    JOBS: 'off',
    OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}`,
    OTEL_BSP_SCHEDULE_DELAY: '3600000',
  }
  const app = startApp(variables, program)
  await app.says(greeting)
  if (program === SERVER) await fetch(`http://localhost:${PORT}/readyz`)
  app.child.kill('SIGTERM')
  expect(await app.ended).toBe(0)
  expect(spans(bodies.slice(before)).map(({ name }) => name)).toContain(span)
})
