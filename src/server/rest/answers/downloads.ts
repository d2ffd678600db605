import type { IncomingHttpHeaders } from 'node:http'
import type { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import type { ByteRange } from '#server/storage/file-store.ts'

interface Download {
  name: string
  type: string
  content: string | Uint8Array | Readable
}

/** A file that the browser saves and no cache keeps. */
export function sendFile(reply: FastifyReply, { name, type, content }: Download) {
  return reply
    .type(type)
    .headers({ 'content-disposition': `attachment; filename="${name}"`, 'cache-control': 'private, no-store' })
    .send(content)
}

/** A header for a file that browsers show, and save under this name; old ones get its nearest form in ASCII. */
export function inlineAs(fileName: string): string {
  return `inline; filename="${inAscii(fileName)}"; filename*=UTF-8''${encoded(fileName)}`
}

function inAscii(text: string): string {
  const withoutMarks = text.normalize('NFKD').replaceAll(/\p{M}+/gu, '')
  return withoutMarks.replaceAll(/[^\x20-\x7E]+/gu, '_').replaceAll(/["%\\]/g, '_')
}

// RFC 5987 leaves these three out of what may stand as it is.
function encoded(text: string): string {
  return encodeURIComponent(text.toWellFormed()).replaceAll(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16)}`,
  )
}

/**
 * The range of bytes that a request asks for. Undefined if the whole file is sent: also for several ranges, for one
 * beyond the end, and with `If-Range`, since our responses have no validator that it could name.
 */
export function rangeOf({ range, 'if-range': condition }: IncomingHttpHeaders, size: number): ByteRange | undefined {
  const [, first, last] = /^bytes=(\d*)-(\d*)$/.exec(range ?? '') ?? []
  if (condition !== undefined || (!first && !last)) return undefined
  const asked = first ? fromTo(Number(first), last ? Number(last) : size - 1) : fromTo(size - Number(last), size - 1)
  const part = { start: Math.max(0, asked.start), end: Math.min(size - 1, asked.end) }
  return part.start <= part.end ? part : undefined
}

function fromTo(start: number, end: number): ByteRange {
  return { start, end }
}
