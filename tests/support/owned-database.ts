import pg from 'pg'
import { afterAll, beforeAll } from 'vitest'
import { workerConnection } from './database.ts'
import { inDatabase } from './template.ts'

interface OwnedDatabase {
  /** As whom an administrator connects. */
  admin: pg.Client
  /** A role that owns its database and is bound by row-level security, as `DATABASE_URL` often names one. */
  owner: pg.PoolConfig
}

/** An empty database of this file's own, whose owner may not do everything. */
export function useOwnedDatabase(name: string): OwnedDatabase {
  const database: OwnedDatabase = { admin: new pg.Client(), owner: {} }
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
  if (!other.connectionString) return { ...other, user: name }
  const url = new URL(other.connectionString)
  url.username = name
  url.password = 'x'
  return { ...other, connectionString: url.href }
}
