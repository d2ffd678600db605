import type { IncomingHttpHeaders } from 'node:http'
import type { ByteRange } from '#server/files/file-store.ts'

/**
 * The one part that a request asks for. Undefined where the whole is to be sent: so it is for several parts, for a
 * part that is not there, and for a condition (`If-Range`) that our answers give nobody the means to state.
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
