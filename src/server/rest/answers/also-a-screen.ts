import { negotiate } from '@fastify/accept-negotiator'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { z } from 'zod'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Whether browsers get a screen under the same path. */
    isScreen?: boolean
  }
}

/** The options of a call whose path is a screen as well. */
export const ALSO_A_SCREEN = alsoAScreen(undefined)

/** The same of one that takes the parameters of this schema in its address. */
export function alsoAScreen(query: z.core.$ZodObject | undefined) {
  return { config: { isScreen: true, ...(query && { query }) } }
}

/** Sends browsers the screen; false where it is the call that was asked for. */
export async function sendScreenToBrowsers(request: FastifyRequest, reply: FastifyReply): Promise<boolean> {
  if (!request.routeOptions.config.isScreen) return false
  reply.header('vary', 'Accept')
  if (!prefersHtml(request)) return false
  await reply.sendScreen()
  return true
}

function prefersHtml({ headers: { accept = '*/*' } }: FastifyRequest): boolean {
  return negotiate(accept, ['application/json', 'text/html']) === 'text/html'
}
