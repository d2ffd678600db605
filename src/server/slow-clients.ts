import { STATUS_CODES, type IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import type { ConnectionError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { AppError, REFUSALS } from '#shared/errors.ts'

/** How long the headings of a request, and a body that is no upload, may take. */
const PATIENCE_MS = 30_000
/** How long a whole request may take: the largest file over a slow line. Uploads end earlier where nothing comes. */
export const LONGEST_UPLOAD_MS = 1_800_000

/** What Node itself refuses before there is a request, by its codes. */
const CLIENT_ERRORS: Record<string, { status: number; error: string }> = {
  ERR_HTTP_REQUEST_TIMEOUT: { status: 408, error: REFUSALS.BODY_TOO_SLOW.message },
  HPE_HEADER_OVERFLOW: { status: 431, error: REFUSALS.BODY_TOO_LARGE.message },
}
const UNREADABLE = { status: 400, error: REFUSALS.INPUT_INVALID.message }

/** Gives up on headings and bodies that do not end; uploads watch over their own. */
export function limitSlowClients(app: FastifyInstance, patienceMs = PATIENCE_MS): void {
  app.server.headersTimeout = patienceMs
  app.addHook('onRequest', (request, reply, done) => {
    if (hasBody(request.raw)) limitBody({ request, reply }, patienceMs)
    done()
  })
}

/** Answers `{"error": text}` where a client's bytes are no request, or too slow to become one. */
export function answerClientError(error: ConnectionError, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy()
  const { status, error: text } = CLIENT_ERRORS[error.code] ?? UNREADABLE
  const body = JSON.stringify({ error: text })
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'Connection: close',
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
  ]
  socket.write(`${head.join('\r\n')}\r\n\r\n${body}`)
  socket.destroySoon()
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length']) > 0
}

function limitBody({ request, reply }: { request: FastifyRequest; reply: FastifyReply }, patienceMs: number): void {
  const { raw } = request
  const timer = setTimeout(() => {
    if (raw.complete) return
    const isAnswered = reply.raw.writableFinished
    if (isAnswered || !isForm(raw)) giveUp(raw)
  }, patienceMs).unref()
  raw.once('close', () => clearTimeout(timer))
}

function isForm({ headers }: IncomingMessage): boolean {
  return headers['content-type']?.toLowerCase().startsWith('multipart/form-data') ?? false
}

/** Whoever still reads the body answers; where nobody does, the connection ends. */
function giveUp(raw: IncomingMessage): void {
  if (raw.listenerCount('error') > 0) raw.emit('error', new AppError('BODY_TOO_SLOW'))
  else raw.destroy()
}
