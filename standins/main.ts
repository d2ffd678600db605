import type { LocalEnvironment } from '#server/boot/local-environment.ts'

/** Stand-ins for a machine without keys or a database. Each part is loaded when it is first wanted. */
export const localEnvironment: LocalEnvironment = {
  names: {
    database: 'PostgreSQL, embedded',
    identity: 'Stand-in for Clerk',
    billing: 'Stand-in for Stripe',
    mail: 'Stand-in (mailbox at /dev/mailbox)',
  },
  startDatabase: async (options) => (await import('./postgres/embedded-postgres.ts')).startEmbedded(options),
  joinDatabase: async (options) => (await import('./postgres/embedded-postgres.ts')).joinEmbedded(options),
  openServices: async (env, connection) => (await import('./open-standins.ts')).openStandins(env, connection),
  createTables: async (env, connection) => (await import('./create-tables.ts')).createTables(env, connection),
  welcome: async (server) => (await import('./welcome.ts')).welcome(server),
}
