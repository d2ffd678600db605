import { negotiate } from '@fastify/accept-negotiator'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { z } from 'zod'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Whether the path is a screen's as well, which browsers get. */
    isScreen?: boolean
  }
}

/** The route options of a call whose path is a screen as well. */
export const ALSO_A_SCREEN = alsoAScreen(undefined)

/** The same for a call with query parameters. */
export function alsoAScreen(query: z.core.$ZodObject | undefined) {
  return { config: { isScreen: true, ...(query && { query }) } }
}

/** Sends the screen to browsers. Returns false if the request is for the call. */
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
