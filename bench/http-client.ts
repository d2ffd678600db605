import { connect, type Socket } from 'node:net'
import { once } from 'node:events'

export interface HttpAnswer {
  status: number
  /** Names and values as they were sent, one header a line. */
  head: string
  /** As it was sent: where in chunks, with their lengths. */
  body: string
}

export interface HttpClient {
  send(request: string): Promise<HttpAnswer>
  close(): void
}

export interface HttpCall {
  path: string
  key?: string
  /** Sent as JSON, by POST. */
  body?: object
}

/** One connection that is kept open. It does next to nothing, since what it costs would flatter the slower server. */
export async function openHttpClient(port: number): Promise<HttpClient> {
  const socket = connect(port, '127.0.0.1').setNoDelay(true)
  await once(socket, 'connect')
  // A reset closes it, too, and then fails the call.
  socket.on('error', () => {})
  return { send: (request) => exchange(socket, request), close: () => socket.destroy() }
}

/** The bytes of a request. They are made once and sent many times. */
export function requestOf({ path, key, body }: HttpCall): string {
  const content = body && JSON.stringify(body)
  const lines = [
    `${body ? 'POST' : 'GET'} ${path} HTTP/1.1`,
    'host: 127.0.0.1',
    'accept: application/json',
    ...(key ? [`authorization: Bearer ${key}`] : []),
    ...(content ? ['content-type: application/json', `content-length: ${Buffer.byteLength(content)}`] : []),
  ]
  return `${lines.join('\r\n')}\r\n\r\n${content ?? ''}`
}

/** The value of a header of an answer; empty where it was not sent. */
export function headerOf({ head }: HttpAnswer, name: string): string {
  return new RegExp(`^${name}: (.*)$`, 'im').exec(head)?.[1]?.trim() ?? ''
}

/** What ends an answer that is sent in chunks. */
const LAST_CHUNK = '\r\n0\r\n\r\n'

function exchange(socket: Socket, request: string): Promise<HttpAnswer> {
  return new Promise((done, fail) => {
    let received: Buffer = Buffer.alloc(0)
    const take = (bytes: Buffer) => {
      received = received.length === 0 ? bytes : Buffer.concat([received, bytes])
      const answer = whole(received)
      if (!answer) return
      socket.off('data', take).off('close', lost)
      done(answer)
    }
    const lost = () => fail(new Error('The server closed the connection'))
    socket.on('data', take).once('close', lost).write(request)
  })
}

/** Undefined until the whole answer is there. */
function whole(received: Buffer): HttpAnswer | undefined {
  const end = received.indexOf('\r\n\r\n')
  if (end < 0) return undefined
  const head = received.toString('latin1', 0, end)
  const length = Number(/\r\ncontent-length: (\d+)/i.exec(head)?.[1])
  const isWhole = Number.isNaN(length) ? received.includes(LAST_CHUNK, end) : received.length >= end + 4 + length
  return isWhole ? { status: Number(head.slice(9, 12)), head, body: received.toString('utf8', end + 4) } : undefined
}
