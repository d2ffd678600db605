import type { FastifyRequest } from 'fastify'

/** Whether a form was sent from a page of ours. What is no browser says nothing of its origin, and may. */
export function isFromHere({ headers }: Pick<FastifyRequest, 'headers'>): boolean {
  const site = headers['sec-fetch-site']
  if (site !== undefined) return site === 'same-origin' || site === 'none'
  const { origin, host } = headers
  return origin === undefined || hostOf(origin) === host
}

function hostOf(origin: string): string | null {
  return URL.canParse(origin) ? new URL(origin).host : null
}
