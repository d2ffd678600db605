import type { FastifyInstance, FastifyPluginAsync } from 'fastify'
import type { Transport } from 'nodemailer'
import type { PoolConfig } from 'pg'
import type { StripeOptions } from '#server/billing/stripe.ts'
import type { Callers, Services } from '#server/context.ts'
import type { Database } from '#server/db/database.ts'
import type { Logins } from '#server/db/connections/logins.ts'
import type { Env } from '#server/env.ts'
import type { LocalNames } from '#server/pages/debug-page.ts'

/** What a machine runs itself in place of the services and the database that its environment does not name. */
export interface LocalEnvironment {
  /** What it runs, for the page that tells what is configured. */
  names: LocalNames
  /** Starts PostgreSQL in the folder, or shares one that runs there. */
  startDatabase(options: { dataDir: string }): Promise<LocalDatabase>
  /** The PostgreSQL that another process runs in the folder; undefined where none does. */
  joinDatabase(options: { dataDir: string }): Promise<LocalDatabase | undefined>
  openServices(env: Env, connection: PoolConfig): Promise<LocalServices>
  /** Creates the tables of all that it can run, empty: a backup brings their rows. */
  createTables(env: Env, connection: PoolConfig): Promise<void>
  /** Fills a new local database with a demo account. @returns what to tell the person at the console, a line each */
  welcome(server: RunningServer): Promise<string[]>
}

export interface LocalDatabase {
  /** As the owner of the tables. */
  connection: PoolConfig
  /** As the roles that the server works as. */
  logins: Logins
  /** Where its files are. */
  location: string
  /** True if it is not under the data folder. */
  moved: boolean
  stop: () => Promise<void>
}

/** Each is undefined where the environment has the keys of the real one. */
export interface LocalServices {
  identity: LocalIdentityProvider | undefined
  billing: LocalBilling | undefined
  mailTransport: Transport | undefined
  /** Serves all of them on the app's own origin. */
  plugin: FastifyPluginAsync
  close: () => Promise<void>
}

export interface LocalIdentityProvider {
  publishableKey: string
  secretKey: string
  /** The public key of its session tokens, as SPKI in PEM. */
  jwtKey: string
  /** Where browsers reach it. */
  proxyUrl: string
  /** Where the server reaches it. */
  apiUrl: string
}

export interface LocalBilling {
  secretKey: string
  webhookSecret: string
  api: NonNullable<StripeOptions['api']>
  /** Its clock can be moved. */
  now(): Date
}

export interface RunningServer {
  app: FastifyInstance
  /** The address to open in a browser. */
  url: string
  /** The PostgreSQL that this machine runs itself; undefined with DATABASE_URL. */
  embedded: LocalDatabase | undefined
  db: Database
  services: Services
  callers: Callers
  stop: () => Promise<void>
}
