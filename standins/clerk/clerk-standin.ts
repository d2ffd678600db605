import type { FastifyPluginAsync } from 'fastify'
import { backendApi } from './backend.ts'
import { inTransaction } from './database.ts'
import { frontendApi } from './frontend.ts'
import { openKeys, PUBLISHABLE_KEY } from './keys.ts'
import { asClerkAnswers } from './plugin.ts'
import { scripts } from './scripts.ts'
import type { StandinOptions } from './standin.ts'
import { createTables } from './tables.ts'

export interface ClerkStandin {
  publishableKey: string
  secretKey: string
  /** The public key of its session tokens, as SPKI in PEM. */
  jwtKey: string
  /** To be registered under a prefix, on the origin of the app itself. */
  plugin: FastifyPluginAsync
}

/** Stands in for Clerk on a machine that has no keys. All it knows is in the database, so any number may run at once. */
export async function openClerkStandin(options: StandinOptions): Promise<ClerkStandin> {
  const keys = await inTransaction(options.pool, async (db) => {
    await createTables(db)
    return openKeys(db)
  })
  const standin = { ...options, keys }
  return {
    publishableKey: PUBLISHABLE_KEY,
    secretKey: keys.secretKey,
    jwtKey: keys.jwtKey,
    plugin: async (app) => {
      asClerkAnswers(app)
      await app.register(scripts)
      await app.register(frontendApi(standin))
      await app.register(backendApi(standin))
    },
  }
}
