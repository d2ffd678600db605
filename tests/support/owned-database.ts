import { MikroORM } from '@mikro-orm/postgresql'
import pg from 'pg'
import { afterAll, beforeAll } from 'vitest'
import { migrate } from '#server/db/migrating/migrate.ts'
import { ormConfig } from '#server/db/connections/orm-config.ts'
import { workerConnection } from './database.ts'
import { inDatabase } from './template.ts'

interface OwnedDatabase {
  /** As whom an administrator connects. */
  admin: pg.Client
  /** A role that owns its database and is bound by row-level security, as `DATABASE_URL` often names one. */
  owner: pg.PoolConfig
  /** As somebody whom row-level security does not bind. */
  adminConnection: () => Promise<pg.PoolConfig>
  /** One such connection. */
  asAdmin: <T>(work: (client: pg.Client) => Promise<T>) => Promise<T>
  /** Makes it what it was after a migration, with rows of then. */
  asOf: (migration: string, rows: string) => Promise<void>
  /** Brings it up to date as an owner who is neither of the roles that the server works as, and makes it both again. */
  migrate: () => Promise<void>
}

/** An empty database of this file's own, whose owner may not do everything. */
export function useOwnedDatabase(name: string): OwnedDatabase {
  const join = () => database.admin.query(`grant traxx_app, traxx_system to ${name}`)
  const migrateAlone = async () => {
    await database.admin.query(`revoke traxx_app, traxx_system from ${name}`)
    await migrate(database.owner, { app: database.owner, system: database.owner })
    await join()
  }
  const asOf = async (migration: string, rows: string) => {
    await join()
    const orm = await MikroORM.init(ormConfig(database.owner))
    await orm.migrator.up({ to: migration })
    await orm.close()
    await asAdmin((client) => client.query(rows))
  }
  const adminConnection = async () => inDatabase(await workerConnection(), name)
  const asAdmin = async <T>(work: (client: pg.Client) => Promise<T>) => {
    const client = new pg.Client(await adminConnection())
    await client.connect()
    try {
      return await work(client)
    } finally {
      await client.end()
    }
  }
  const database: OwnedDatabase = {
    admin: new pg.Client(),
    owner: {},
    adminConnection,
    asAdmin,
    asOf,
    migrate: migrateAlone,
  }
  beforeAll(async () => {
    const connection = await workerConnection()
    const admin = new pg.Client(connection)
    await admin.connect()
    await admin.query(`create role ${name} login password 'x'`)
    await admin.query(`create database ${name} owner ${name}`)
    Object.assign(database, { admin, owner: ownedBy(name, connection) })
  })
  afterAll(async () => {
    await database.admin.query(`drop database ${name} with (force)`)
    await database.admin.query(`drop role ${name}`)
    await database.admin.end()
  })
  return database
}

function ownedBy(name: string, connection: pg.PoolConfig): pg.PoolConfig {
  const other = inDatabase(connection, name)
  if (!other.connectionString) return { ...other, user: name, password: 'x' }
  const url = new URL(other.connectionString)
  url.username = name
  url.password = 'x'
  return { ...other, connectionString: url.href }
}
