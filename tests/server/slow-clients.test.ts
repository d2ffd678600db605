import { once } from 'node:events'
import { request as open, type IncomingMessage } from 'node:http'
import { connect, type Socket } from 'node:net'
import { Readable } from 'node:stream'
import { json, text } from 'node:stream/consumers'
import { setTimeout } from 'node:timers/promises'
import type { FastifyPluginAsync } from 'fastify'
import { beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { bearer, call, useApp } from '#support/app.ts'
import { aPdf, FORM } from '#support/pdf.ts'
import { memoryFiles } from '#support/services.ts'
import { aContract, aCustomer, anAccount, useWorld } from '#support/world.ts'

const TIMEOUT_MS = 300
const TOO_SLOW = { error: 'The request took too long to arrive' }
const world = useWorld()
const server = useApp(world, { files: memoryFiles() }, { timeoutMs: TIMEOUT_MS })
let origin: string
let latest: IncomingMessage | undefined

beforeAll(async () => {
  origin = await server.app.listen({ port: 0, host: '127.0.0.1' })
  server.app.server.on('request', (request) => (latest = request))
})

/** From here on the server only looks at a body when it is told to, however long everything takes. */
function looks() {
  latest = undefined
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  onTestFinished(() => void vi.useRealTimers())
  return {
    /** Resolves once so many bytes of the latest request have come. */
    came: (bytes: number) => until(() => (latest?.socket.bytesRead ?? 0) >= bytes),
    /** Resolves once somebody waits for the body, and the server has begun to look at it. */
    isRead: () => until(() => vi.getTimerCount() > 0 && (latest?.listenerCount('error') ?? 0) > 0),
    look: () => void vi.advanceTimersByTime(TIMEOUT_MS),
  }
}

/** Unlike `expect.poll`, which moves a fake clock as it waits. */
async function until(isSo: () => boolean) {
  while (!isSo()) await setTimeout(5)
}

function* endless() {
  for (;;) yield 'x'.repeat(65_536)
}

/** A call whose body has begun. */
function begin(path: string, headers: Record<string, string>) {
  const call = open(`${origin}${path}`, { method: 'POST', headers, agent: false })
  call.on('error', () => {})
  const answered = once(call, 'response').then(async ([answer]) => ({
    status: Number(answer.statusCode),
    body: isJson(answer) ? await json(answer) : await text(answer),
  }))
  return { call, answered, closed: once(call, 'close') }
}

function isJson({ headers }: IncomingMessage): boolean {
  return headers['content-type']?.startsWith('application/json') ?? false
}

/** What the server says to bytes that are sent as they are. */
function answerTo(bytes: string): Promise<string> {
  const socket = connect(Number(new URL(origin).port), '127.0.0.1')
  socket.write(bytes)
  return text(socket)
}

test.each(['/customers', '/trpc/customers.create'])('JSON for %s that does not end is 408', async (path) => {
  const headers = { ...bearer(await anAccount(world)), 'content-type': 'application/json' }
  const { isRead, look } = looks()
  const { call, answered, closed } = begin(path, headers)
  call.write('{"name":')
  await isRead()
  look()
  expect(await answered).toMatchObject({ status: 408, body: TOO_SLOW })
  await closed
})

test('a body that nobody reads does not keep its connection', async () => {
  const { look } = looks()
  const socket = connect(Number(new URL(origin).port), '127.0.0.1')
  socket.write('POST /customers HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\n{')
  const [begun] = await once(socket, 'data')
  look()
  const answer = `${begun}${await text(socket)}`
  expect(answer).toMatch(/^HTTP\/1\.1 401 /)
  expect(answer).toMatch(/connection: keep-alive/i)
})

test('an upload may take longer, as long as it comes', async () => {
  const request = await anAccount(world)
  const { id } = await aContract(request, { customerId: (await aCustomer(request)).id })
  const { came, isRead, look } = looks()
  const { call, answered } = begin(`/contracts/${id}/pdf`, { ...bearer(request), 'content-type': FORM.type })
  call.write(FORM.head)
  await isRead()
  const pdf = aPdf(80_000)
  for (let from = 0; from < pdf.length; from += 20_000) {
    call.write(pdf.subarray(from, from + 20_000))
    await came(Math.min(from + 20_000, pdf.length))
    look()
  }
  call.end(FORM.tail)
  expect(await answered).toMatchObject({ status: 201 })
})

test.each([
  ['before its form begins', ''],
  ['within its file', FORM.head],
])('an upload that hardly moves %s is 408', async (_where, head) => {
  const request = await anAccount(world)
  const { id } = await aContract(request, { customerId: (await aCustomer(request)).id })
  for (const path of [`/contracts/${id}/pdf`, '/customers/bulk-upload']) {
    const headers = { ...bearer(request), 'content-type': FORM.type }
    const { isRead, look } = looks()
    const { call, answered, closed } = begin(path, headers)
    call.write(
      head
        .replace('"pdf"', path.endsWith('pdf') ? '"pdf"' : '"file"')
        .replace('.pdf', path.endsWith('pdf') ? '.pdf' : '.csv'),
    )
    await isRead()
    call.write('%')
    look()
    expect(await answered).toMatchObject({ status: 408, body: TOO_SLOW })
    await closed
  }
})

test.each(['/trpc/customers.create', '/customers', '/unsubscribe/x', '/contact', '/nowhere', '/healthz'])(
  'a slow form for %s, which takes none, does not keep its connection',
  async (path) => {
    const headers = { ...bearer(await anAccount(world)), 'content-type': FORM.type }
    const { look } = looks()
    const { call, answered, closed } = begin(path, headers)
    call.write(FORM.head)
    expect((await answered).status).toBeGreaterThanOrEqual(400)
    call.write('%')
    look()
    await closed
  },
)

test('a form for tRPC is refused before it is read, however large it is', async () => {
  const headers = { ...bearer(await anAccount(world)), 'content-type': FORM.type }
  const { call, answered } = begin('/trpc/customers.create', headers)
  call.write(FORM.head)
  expect(await answered).toMatchObject({ status: 415, body: { error: 'Send the request body as JSON' } })
})

describe('an answer', () => {
  const closed = Promise.withResolvers<'closed'>()
  const asked = Promise.withResolvers<Socket>()
  const ready = Promise.withResolvers<void>()
  const plugin: FastifyPluginAsync = async (app) => {
    app.get('/test/endless', (_request, reply) => {
      const content = Readable.from(endless()).once('close', () => closed.resolve('closed'))
      return reply.type('text/plain').send(content)
    })
    app.get('/test/late', async ({ socket }) => {
      asked.resolve(socket)
      await ready.promise
      return 'at last'
    })
  }
  // Node looks at answers by a clock that no test can move.
  const impatient = useApp(world, {}, { timeoutMs: 20, plugins: [plugin] })

  let port = 0
  beforeAll(async () => {
    port = Number(new URL(await impatient.app.listen({ port: 0, host: '127.0.0.1' })).port)
  })

  function get(path: string) {
    const socket = connect(port, '127.0.0.1').on('error', () => {})
    socket.write(`GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`)
    return socket
  }

  test('that nobody reads ends, and what it is made of', async () => {
    const socket = get('/test/endless').pause()
    expect(await closed.promise).toBe('closed')
    socket.destroy()
  })

  test('that takes its time is waited for, and its connection stays', async () => {
    const socket = get('/test/late')
    await once(await asked.promise, 'timeout')
    ready.resolve()
    socket.write('GET /healthz HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n')
    expect(await text(socket)).toMatch(/^HTTP\/1\.1 200 [^]+at lastHTTP\/1\.1 200 [^]+"status":"ok"/)
  })
})

test('what is no request is told so in the form of every other error', async () => {
  const answer = await answerTo('GET / HTTP/1.1\r\nHost: a\r\nno heading\r\n\r\n')
  expect(answer).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/)
  expect(answer).toMatch(/\r\nx-content-type-options: nosniff\r\n/)
  expect(answer).toMatch(/\r\ncontent-security-policy: default-src 'none';/)
  expect(answer).toMatch(/\r\n\r\n\{"error":"The request is not valid","refusal":"INPUT_INVALID"\}$/)
  const long = await answerTo(`GET / HTTP/1.1\r\nHost: a\r\nx: ${'x'.repeat(100_000)}\r\n\r\n`)
  expect(long).toMatch(
    /^HTTP\/1\.1 431 [^{]+\{"error":"The request is larger than the server accepts","refusal":"BODY_TOO_LARGE"\}$/,
  )
  const silent = await answerTo(`HEAD / HTTP/1.1\r\nHost: a\r\nx: ${'x'.repeat(100_000)}\r\n\r\n`)
  expect(silent).toMatch(/^HTTP\/1\.1 431 [^{]+\r\n\r\n$/)
})

test('a request that says its length in two ways is refused', async () => {
  const head = 'POST /customers HTTP/1.1\r\nHost: a\r\ncontent-type: application/json\r\n'
  const chunked = 'transfer-encoding: chunked\r\n'
  expect(await answerTo(`${head}content-length: 5\r\n${chunked}\r\n0\r\n\r\n`)).toMatch(/^HTTP\/1\.1 400 /)
  expect(await answerTo(`${head}content-length: 2\r\ncontent-length: 3\r\n\r\n{}`)).toMatch(/^HTTP\/1\.1 400 /)
  expect(await answerTo(`${head}${chunked}connection: close\r\n\r\n0\r\n\r\n`)).toMatch(/^HTTP\/1\.1 401 /)
})

test.each(['/', '/customers', '/trpc/customers.list'])(
  'TRACE of %s finds nothing, and repeats nothing',
  async (path) => {
    const answer = await answerTo(`TRACE ${path} HTTP/1.1\r\nHost: a\r\ncookie: b=c\r\nConnection: close\r\n\r\n`)
    expect(answer).toMatch(/^HTTP\/1\.1 404 /)
    expect(answer).toContain('"refusal":"PATH_NOT_FOUND"')
    expect(answer).not.toContain('b=c')
  },
)

test.each(['/', '/contracts', '/customers', '/trpc/customers.list', '/unsubscribe/x'])(
  'cookies of 15 KB are no trouble for %s, and longer ones are refused',
  async (path) => {
    const sent = async (bytes: number) => {
      const cookie = Array.from({ length: bytes / 10 }, (_, n) => `c${String(n).padStart(4, '0')}=%F`).join('; ')
      const head = `GET ${path} HTTP/1.1\r\nhost: localhost\r\naccept: text/html\r\nconnection: close\r\ncookie: ${cookie}`
      return (await answerTo(`${head}\r\n\r\n`)).slice(0, 'HTTP/1.1 200'.length)
    }
    expect(await sent(15_000)).toBe(await sent(10))
    expect(await sent(20_000)).toBe('HTTP/1.1 431')
  },
)

test('an empty JSON body is no body', async () => {
  const request = await anAccount(world)
  const { id } = await aCustomer(request)
  const headers = { ...bearer(request), 'content-type': 'application/json' }
  const url = `/customers/${id}`
  expect(await call(server, { method: 'DELETE', url, headers })).toMatchObject({ status: 204 })
  const notFound = await fetch(`${origin}/contracts/999999/reminder`, { method: 'POST', headers })
  expect(notFound.status).toBe(404)
  expect(await notFound.json()).toMatchObject({ error: 'Contract not found' })
})

test.each(['{', ' ', '{"__proto__":{"name":"a"}}', '{"constructor":{"prototype":{}}}'])(
  'the JSON %s is still refused',
  async (payload) => {
    const headers = { ...bearer(await anAccount(world)), 'content-type': 'application/json' }
    expect(await call(server, { method: 'POST', url: '/customers', headers, payload })).toMatchObject({
      status: 400,
      body: { error: 'The request body is not valid JSON' },
    })
  },
)

test.each(['/', '/customers', '/trpc/customers.list', '/health', '/nowhere'])(
  'a request for %s that names two hosts is 400',
  async (path) => {
    const ask = (more: string) =>
      answerTo(`GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\n${more}Connection: close\r\n\r\n`)
    expect(await ask('')).not.toMatch(/^HTTP\/1\.1 400 /)
    const refused = await ask('hOST: evil.example\r\n')
    expect(refused).toMatch(/^HTTP\/1\.1 400 [^]*"refusal":"INPUT_INVALID"/)
    expect(refused).toContain('x-content-type-options: nosniff')
    expect(await ask('Host: 127.0.0.1\r\n')).toMatch(/^HTTP\/1\.1 400 /)
  },
)

test.each(['http://evil.example/customers', 'https://127.0.0.1/', '*'])(
  'a request for %s in place of a path is 400',
  async (target) => {
    const answer = await answerTo(`GET ${target} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n`)
    expect(answer).toMatch(/^HTTP\/1\.1 400 /)
    expect(answer).not.toMatch(/^link: /im)
  },
)
