import type { Client } from 'pg'
import { productionVariables, startApps, startServer } from './apps.ts'
import type { Cluster } from './cluster.ts'
import { startLoad } from './load.ts'
import type { Processes } from './processes.ts'
import { openReminders } from './reminders.ts'

export interface StageOptions {
  folder: string
  processes: Processes
  cluster: Cluster
  /** Where the code of the servers and workers is. */
  code: string
}

export type Stage = Awaited<ReturnType<typeof openStage>>

export const DATABASE = 'traxx'

/** A new database on the cluster, servers and workers on it, and their load. */
export async function openStage({ folder, processes, cluster, code }: StageOptions) {
  const reminders = await openReminders()
  await cluster.asAdministrator('postgres', (client) => createDatabase(client, cluster.password))
  const variablesFor = (databasePort: number) => ({
    ...productionVariables(cluster.webUrl, folder),
    ...databaseUrls(databasePort, cluster.password),
    SMTP_URL: reminders.url,
  })
  const { serverPorts, adminSocket } = cluster
  const variables = variablesFor(cluster.databasePort)
  const apps = await startApps({ processes, code, serverPorts, adminSocket, variables })
  const inDatabase = <T>(work: (client: Client) => Promise<T>) => cluster.asAdministrator(DATABASE, work)
  const load = await inDatabase((client) => startLoad(cluster.webUrl, client))
  await inDatabase(reminders.addAccounts)
  return {
    folder,
    processes,
    cluster,
    apps,
    load,
    reminders,
    inDatabase,
    /** A server over the database of a PostgreSQL at this port, which has the same roles. */
    startServerOver: (databasePort: number) =>
      startServer('restored', { processes, code, variables: variablesFor(databasePort) }),
    /** Ends the load, and waits for the reminders. Returns those that are not as the ledger has them. */
    close: async () => {
      await load.stop()
      await apps.stopWorkers()
      await inDatabase(reminders.passMinutes)
      await apps.restart()
      const faults = await reminders.finish(inDatabase)
      await apps.stop()
      await reminders.stop()
      return faults
    },
  }
}

/** How servers and workers log in through this port. */
export function databaseUrls(port: number, password: string): Record<string, string> {
  const urlOf = (role: string) => `postgres://${role}:${password}@127.0.0.1:${port}/${DATABASE}`
  return {
    DATABASE_URL: urlOf('traxx_app'),
    SYSTEM_DATABASE_URL: urlOf('traxx_system'),
    MIGRATION_DATABASE_URL: urlOf('traxx_owner'),
  }
}

/** Empty, in place of the last one. */
export async function createDatabase(client: Client, password: string) {
  await client.query(`drop database if exists ${DATABASE} with (force)`)
  const { rows } = await client.query(`select from pg_roles where rolname = 'traxx_owner'`)
  if (rows.length === 0) {
    for (const role of ['traxx_owner', 'traxx_app', 'traxx_system']) {
      await client.query(`create role ${role} login password '${password}'`)
    }
  }
  await client.query(`create database ${DATABASE} owner traxx_owner`)
}
