import type { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'

interface Download {
  name: string
  type: string
  content: string | Readable
}

/** A file that the browser saves, and nobody in between keeps. */
export function sendFile(reply: FastifyReply, { name, type, content }: Download) {
  return reply
    .type(type)
    .headers({ 'content-disposition': `attachment; filename="${name}"`, 'cache-control': 'private, no-store' })
    .send(content)
}
