import type { FastifyInstance } from 'fastify'
import type { RequestContext } from '#server/context.ts'
import { bearer, call } from './app.ts'

interface Form {
  url: string
  content: string | Buffer
  name?: string
  field?: string
  /** The call's Idempotency-Key. */
  key?: string
}

/** One file sent as a browser sends a form. */
export async function upload(
  server: { readonly app: FastifyInstance },
  request: RequestContext,
  { url, content, name = 'file.csv', field = 'file', key }: Form,
) {
  const form = new FormData()
  form.append(field, new Blob([Uint8Array.from(Buffer.from(content))]), name)
  const sent = new Response(form)
  const payload = Buffer.from(await sent.arrayBuffer())
  const headers = {
    ...bearer(request),
    'content-type': sent.headers.get('content-type') ?? '',
    ...(key !== undefined && { 'idempotency-key': key }),
  }
  return call(server, { method: 'POST', url, headers, payload })
}
