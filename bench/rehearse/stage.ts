import type { Client } from 'pg'
import { productionVariables, startApps } from './apps.ts'
import type { Cluster } from './cluster.ts'
import { startLoad } from './load.ts'
import type { Processes } from './processes.ts'
import { openReminders } from './reminders.ts'

export interface StageOptions {
  folder: string
  processes: Processes
  cluster: Cluster
  /** The database, which is created. */
  database: string
  /** Where the code of the servers and workers is. */
  code: string
}

export type Stage = Awaited<ReturnType<typeof openStage>>

/** A database on the cluster, servers and workers on it, and their load. */
export async function openStage({ folder, processes, cluster, database, code }: StageOptions) {
  const reminders = await openReminders()
  await cluster.asAdministrator('postgres', (client) => createDatabase(client, { database, cluster }))
  const urlOf = (role: string) => `postgres://${role}:${cluster.password}@127.0.0.1:${cluster.databasePort}/${database}`
  const apps = await startApps({
    processes,
    code,
    serverPorts: cluster.serverPorts,
    adminSocket: cluster.adminSocket,
    variables: {
      ...productionVariables(cluster.webUrl, folder),
      DATABASE_URL: urlOf('traxx_app'),
      SYSTEM_DATABASE_URL: urlOf('traxx_system'),
      MIGRATION_DATABASE_URL: urlOf('traxx_owner'),
      SMTP_URL: reminders.url,
    },
  })
  const inDatabase = <T>(work: (client: Client) => Promise<T>) => cluster.asAdministrator(database, work)
  const load = await inDatabase((client) => startLoad(cluster.webUrl, client))
  await inDatabase(reminders.addAccounts)
  return {
    cluster,
    apps,
    load,
    reminders,
    inDatabase,
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

async function createDatabase(client: Client, { database, cluster }: Pick<StageOptions, 'database' | 'cluster'>) {
  const { rows } = await client.query(`select from pg_roles where rolname = 'traxx_owner'`)
  if (rows.length === 0) {
    for (const role of ['traxx_owner', 'traxx_app', 'traxx_system']) {
      await client.query(`create role ${role} login password '${cluster.password}'`)
    }
  }
  await client.query(`create database ${database} owner traxx_owner`)
}
