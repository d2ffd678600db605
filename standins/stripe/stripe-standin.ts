import type { FastifyPluginAsync } from 'fastify'
import type pg from 'pg'
import { stripeApi } from './api.ts'
import { openEngine } from './engine.ts'
import { hostedPages } from './pages/pages.ts'

export interface StripeStandin {
  secretKey: string
  webhookSecret: string
  /** Registered at the root: the API is under /v1, the hosted pages are under /__stripe. */
  plugin: FastifyPluginAsync
  /** The stand-in's clock: real time and what it was moved by. */
  now(): Date
  /** Ends the redelivery of webhooks, once what is under way is done. */
  close(): Promise<void>
}

/** Stripe's billing, as far as TRAXX uses it, on this machine; all of its state is in the database. */
export async function openStripeStandin(options: { pool: pg.Pool; webhookUrl: () => string }): Promise<StripeStandin> {
  const engine = await openEngine(options)
  return {
    secretKey: engine.settings.secretKey,
    webhookSecret: engine.settings.webhookSecret,
    plugin: async (app) => {
      app.addHook('onListen', async () => engine.tellTheRest())
      await app.register(stripeApi(engine), { prefix: '/v1' })
      await app.register(hostedPages(engine), { prefix: '/__stripe' })
    },
    now: () => new Date(engine.now() * 1000),
    close: () => engine.close(),
  }
}
