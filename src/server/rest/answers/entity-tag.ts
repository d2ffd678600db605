import type { FastifyReply, FastifyRequest } from 'fastify'

/** Sends a customer, contact or contract with its version as the `ETag`. */
export function sendTagged<View extends { version: number }>(reply: FastifyReply, view: View): View {
  void reply.header('etag', `"${view.version}"`)
  return view
}

/**
 * The versions that `If-Match` names; undefined if it is not sent or `*`. A tag that is no version matches none. A weak tag
 * counts as well, because proxies make them of ours.
 */
export function ifMatch({ headers }: FastifyRequest): number[] | undefined {
  const sent = headers['if-match']
  if (sent === undefined || sent.trim() === '*') return undefined
  return sent.split(',').flatMap((tag) => {
    const [, version] = /^\s*(?:W\/)?"(\d{1,10})"\s*$/.exec(tag) ?? []
    return version === undefined ? [] : Number(version)
  })
}
