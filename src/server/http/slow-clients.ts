import { STATUS_CODES, type IncomingMessage, type ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import type { ConnectionError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '#shared/errors.ts'
import { refusalBody } from '#server/rest/answers/errors.ts'

/** How long the headers of a request, and a body that is no upload, may take; how often the rate of one is looked at. */
const TIMEOUT_MS = 30_000
/**
 * Multiplier on the timeout for clients that do not read. The system accepts more only when a third of its buffer is free,
 * which may be over a megabyte: on a slow line that takes a while.
 */
const PATIENCE_WITH_READERS = 4
/** How long a whole request may take: the largest file over a line of half a megabit. */
export const LONGEST_UPLOAD_MS = 900_000
/** Bytes per second of an upload. */
const FEWEST_BYTES = 4096

/** What Node itself refuses before there is a request, by its codes. */
const CLIENT_ERRORS: Record<string, { status: number; refusal: AppError }> = {
  ERR_HTTP_REQUEST_TIMEOUT: { status: 408, refusal: new AppError('BODY_TOO_SLOW') },
  HPE_HEADER_OVERFLOW: { status: 431, refusal: new AppError('BODY_TOO_LARGE') },
}
const UNREADABLE = { status: 400, refusal: new AppError('INPUT_INVALID') }

/** Closes connections whose headers or bodies do not end, whose uploads are too slow, or whose responses are not read. */
export function limitSlowClients(app: FastifyInstance, timeoutMs = TIMEOUT_MS): void {
  app.server.headersTimeout = timeoutMs
  app.addHook('onRequest', (request, reply, done) => {
    if (hasBody(request.raw)) limitBody({ request, reply }, timeoutMs)
    limitAnswer(request.raw, reply.raw, timeoutMs)
    done()
  })
}

/** For tRPC, whose plugin would hold a form of any size in memory; no procedure takes one. */
export function refuseForms(app: FastifyInstance): void {
  app.addHook('onRequest', (request, _reply, done) => {
    done(isForm(request.raw) ? new AppError('BODY_TYPE_UNSUPPORTED') : undefined)
  })
}

/** Sends a REST error with these headers if a client's bytes are not a request, or arrive too slowly. */
export function answerClientError(error: ConnectionError, socket: Socket, headers: Record<string, string>): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy()
  const { status, refusal } = CLIENT_ERRORS[error.code] ?? UNREADABLE
  const body = JSON.stringify(refusalBody(refusal))
  const sent = isHead(error) ? '' : body
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'Connection: close',
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
  ]
  socket.write(`${head.join('\r\n')}\r\n\r\n${sent}`)
  socket.destroySoon()
}

/** A client that sent HEAD would read a body as the next response. */
function isHead(error: ConnectionError): boolean {
  const bytes: unknown = Reflect.get(error, 'rawPacket')
  return Buffer.isBuffer(bytes) && bytes.subarray(0, 5).toString('latin1') === 'HEAD '
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length']) > 0
}

function limitBody({ request, reply }: { request: FastifyRequest; reply: FastifyReply }, timeoutMs: number): void {
  const { raw } = request
  const fewestBytes = (FEWEST_BYTES * timeoutMs) / 1000
  let seen = raw.socket.bytesRead
  const timer = setInterval(() => {
    if (raw.complete) return clearInterval(timer)
    const isMoving = raw.socket.bytesRead - seen >= fewestBytes
    seen = raw.socket.bytesRead
    if (!isMoving || reply.raw.writableFinished || !isForm(raw)) giveUp(raw)
  }, timeoutMs).unref()
  raw.once('close', () => clearInterval(timer))
}

/** Node looks whether the socket has taken anything; with nothing to take, the answer is what is being waited for. */
function limitAnswer({ socket }: IncomingMessage, answer: ServerResponse, timeoutMs: number): void {
  // Requests that come from no network have no such socket.
  if (!(socket instanceof Socket)) return
  answer.setTimeout(PATIENCE_WITH_READERS * timeoutMs, () => {
    if (socket.writableLength > 0) socket.resetAndDestroy()
  })
}

function isForm({ headers }: IncomingMessage): boolean {
  return headers['content-type']?.toLowerCase().startsWith('multipart/form-data') ?? false
}

/** If the body is still being read, the reader responds; otherwise the connection ends. */
function giveUp(raw: IncomingMessage): void {
  if (raw.listenerCount('error') > 0) raw.emit('error', new AppError('BODY_TOO_SLOW'))
  else raw.destroy()
}
