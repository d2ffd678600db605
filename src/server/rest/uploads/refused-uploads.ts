import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import type { FastifyInstance } from 'fastify'

const LINGER_MS = 5_000
/** How much is still read of a body that turned out too large. */
const LEFT_OF_TOO_LARGE = 1024 * 1024

/**
 * Responds to a refused upload before its body has arrived. If the connection were closed at once, the client would lose
 * the response; so it stays open for a while, and the rest of the body is read and discarded.
 */
export function answerBeforeBody(app: FastifyInstance, { maxBytes }: { maxBytes: number }): void {
  app.addHook('onSend', async ({ raw }, reply, payload) => {
    if (reply.statusCode < 400 || raw.complete || raw.readableEnded || typeof payload !== 'string') return payload
    reply.headers({ connection: 'close', 'content-length': Buffer.byteLength(payload) })
    return Readable.from(slowly(payload, forget(raw, reply.statusCode === 413 ? LEFT_OF_TOO_LARGE : maxBytes)))
  })
}

/** The content-length tells the client that the response is complete before the stream, and with it the connection, ends. */
async function* slowly(payload: string, forgotten: Promise<void>) {
  yield payload
  await forgotten
}

function forget(body: IncomingMessage, maxBytes: number): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, LINGER_MS)
  let left = maxBytes
  body.unpipe()
  body.on('data', (chunk: Buffer) => {
    left -= chunk.length
    if (left < 0) body.pause()
  })
  body.once('end', resolve).once('close', resolve).resume()
  return promise.finally(() => clearTimeout(timer))
}
