import { chmodSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { PoolConfig } from 'pg'
import sql from 'sql-template-tag'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  aFolder,
  aUsedFolder,
  ask,
  cleanUp,
  removeUsedFolder,
  start,
  untilStopped,
} from '#support/embedded-processes.ts'
import { inDatabase } from '#support/template.ts'
import type { Database } from '#server/db/database.ts'
import { openDatabase } from '#server/boot/open-database.ts'
import { openPool } from './pool.ts'
import { startEmbedded, type EmbeddedServer } from '#standins/postgres/embedded-postgres.ts'
import { migrate } from '#server/db/migrating/migrate.ts'

let server: EmbeddedServer
let db: Database

beforeAll(async () => {
  server = await start(aFolder())
  await migrate(server.connection, server.logins)
  db = await openDatabase(server.connection, server.logins)
})
afterAll(async () => {
  await db.close()
  await cleanUp()
  await removeUsedFolder()
})

const BREAKOUTS = ['set role none', 'reset role', 'set session authorization default']
const WHO = 'select current_user::text as role, session_user::text as login'

describe("a statement from the server's own connections gains nothing", () => {
  test.each(BREAKOUTS)('%s', async (statement) => {
    const app = { role: 'traxx_app', login: 'traxx_app' }
    const written = await db.writeAs(1, async (em) => {
      await em.execute(statement)
      return em.execute<object[]>(WHO)
    })
    expect(written).toEqual([app])
    await db.readAs(1)(sql([statement]))
    expect(await db.readAs(1)(sql([WHO]))).toEqual([app])

    const system = openPool({ ...server.logins.system, max: 1 })
    await system.query(statement)
    const { rows } = await system.query(WHO)
    await system.end()
    expect(rows).toEqual([{ role: 'traxx_system', login: 'traxx_system' }])
  })

  test.each(['traxx_owner', 'traxx_system', 'pg_read_all_data'])('set role %s is refused', async (role) => {
    await expect(db.readAs(1)(sql([`set role ${role}`]))).rejects.toThrow('permission denied to set role')
    await expect(ask(server.logins.app, `set session authorization ${role}`)).rejects.toThrow(
      'permission denied to set session authorization',
    )
  })

  test('set role traxx_app is refused for the system role as well', async () => {
    await expect(db.system.query('set role traxx_app')).rejects.toThrow('permission denied to set role')
  })
})

describe('a login that could be more than its role is refused at the start', () => {
  test.each([
    ['grant pg_read_all_data to traxx_app', 'revoke pg_read_all_data from traxx_app', 'a member of pg_read_all_data'],
    ['alter role traxx_app superuser', 'alter role traxx_app nosuperuser', 'bypasses row-level security'],
    ['alter role traxx_app bypassrls', 'alter role traxx_app nobypassrls', 'bypasses row-level security'],
    ['alter role traxx_app createrole', 'alter role traxx_app nocreaterole', 'may make roles'],
    [
      'create table of_its_own (); alter table of_its_own owner to traxx_app',
      'drop table of_its_own',
      'owns tables, functions or the database',
    ],
    ['grant create on schema public to public', 'revoke create on schema public from public', 'in schema public'],
    ['grant create on schema public to traxx_app', 'revoke create on schema public from traxx_app', 'in schema public'],
    [
      'create schema elsewhere; grant create on schema elsewhere to public',
      'drop schema elsewhere',
      'in schema elsewhere',
    ],
    [
      'grant create on database traxx to traxx_app',
      'revoke create on database traxx from traxx_app',
      'in database traxx',
    ],
    [
      'grant temporary on database traxx to public',
      'revoke temporary on database traxx from public',
      'in database traxx',
    ],
  ])('%s', async (make, undo, fault) => {
    await ask(server.connection, make)
    await expect(openDatabase(server.connection, server.logins)).rejects.toThrow(
      new RegExp(`^DATABASE_URL logs in as traxx_app, which .*${fault}`),
    )
    await ask(server.connection, undo)
  })

  test('so is one of another name, by the variable that names it', async () => {
    const { connection: owner, logins } = server
    await expect(openDatabase(owner, { ...logins, app: owner })).rejects.toThrow(
      'DATABASE_URL logs in as traxx_owner, which is not traxx_app',
    )
    await expect(openDatabase(owner, { ...logins, system: logins.app })).rejects.toThrow(
      'SYSTEM_DATABASE_URL logs in as traxx_app, which is not traxx_system',
    )
  })
})

test('an owner who can become neither role migrates, and the roles work beside it', async () => {
  await ask(server.connection, `create role plain_owner login password 'x'`)
  await ask(server.connection, 'create database of_plain_owner owner plain_owner')
  const there = (config: PoolConfig) => inDatabase(config, 'of_plain_owner')
  const owner = there({ ...server.connection, user: 'plain_owner', password: 'x' })
  const logins = { app: there(server.logins.app), system: there(server.logins.system) }
  await migrate(owner, logins)
  expect(await ask(owner, `select pg_has_role('traxx_app', 'member') as member`)).toEqual([{ member: false }])
  const opened = await openDatabase(owner, logins)
  try {
    await opened.system.query(`insert into accounts (clerk_user_id, email) values ('a', 'a@x'), ('b', 'b@x')`)
    expect(await opened.readAs(2)(sql`select id from accounts`)).toEqual([{ id: 2 }])
  } finally {
    await opened.close()
  }
})

test('a database of PostgreSQL 14, in which everybody creates tables, is closed by the start', async () => {
  await ask(server.connection, 'create database of_old_server')
  const there = (config: PoolConfig) => inDatabase(config, 'of_old_server')
  await ask(there(server.connection), 'grant create on schema public to public')
  const logins = { app: there(server.logins.app), system: there(server.logins.system) }
  await migrate(there(server.connection), logins)
  await expect(ask(logins.app, 'create table planted ()')).rejects.toThrow('permission denied for schema public')
  for (const login of [logins.app, logins.system]) {
    await expect(ask(login, 'create temp table customers ()')).rejects.toThrow('permission denied to create temporary')
  }
  await (await openDatabase(there(server.connection), logins)).close()
  await ask(there(server.connection), 'grant temporary on database of_old_server to public')
  await migrate(there(server.connection), logins)
  await expect(ask(logins.app, 'create temp table customers ()')).rejects.toThrow('permission denied')
})

describe('the embedded cluster', () => {
  const modeOf = (file: string) => statSync(file).mode & 0o777
  const inHome = (path: string, { location } = server) => join(location, path)

  test('keeps its passwords in a file that others cannot read, each another one', () => {
    expect(modeOf(inHome('passwords.json'))).toBe(0o600)
    const passwords: Record<string, string> = JSON.parse(readFileSync(inHome('passwords.json'), 'utf8'))
    expect(new Set(Object.values(passwords)).size).toBe(3)
    for (const password of Object.values(passwords)) expect(password).toMatch(/^[\w-]{32}$/)
  })

  test('lets nobody in without the password of the role', async () => {
    for (const config of [server.connection, server.logins.app, server.logins.system]) {
      for (const password of ['', 'wrong']) {
        const refused = ask({ ...config, password }, 'select 1')
        await expect(refused).rejects.toThrow(/password/)
      }
    }
    const rows = await ask(
      server.connection,
      `select distinct auth_method as method from pg_hba_file_rules union select 'stored ' || left(rolpassword, 13)
        from pg_authid where rolcanlogin and rolname like 'traxx%'`,
    )
    expect(rows).toHaveLength(2)
    expect(rows).toEqual(expect.arrayContaining([{ method: 'scram-sha-256' }, { method: 'stored SCRAM-SHA-256' }]))
  })

  test('that was made when anybody of the machine was trusted is converted with its data', async () => {
    const folder = await aUsedFolder()
    const old = await startEmbedded({ dataDir: folder })
    await ask(old.connection, 'create table kept as select 7 as number')
    await ask(old.connection, 'drop role traxx_app, traxx_system; alter role traxx_owner password null')
    await old.stop()
    await untilStopped(old.connection)
    writeFileSync(join(old.location, 'data/pg_hba.conf'), 'local all all trust\n')
    rmSync(join(old.location, 'passwords.json'))

    const converted = await start(folder)
    expect(converted).toMatchObject({ created: false, adopted: false })
    expect(await ask(converted.connection, 'select number from kept')).toEqual([{ number: 7 }])
    expect(await ask(converted.logins.app, WHO)).toEqual([{ role: 'traxx_app', login: 'traxx_app' }])
    expect(modeOf(inHome('data/pg_hba.conf', converted))).toBe(0o600)
    await expect(ask({ ...converted.connection, password: '' }, 'select 1')).rejects.toThrow(/password/)
  })

  test('says what to do where its passwords are lost', async () => {
    const folder = await aUsedFolder()
    writeFileSync(join(folder, 'postgres/passwords.json'), JSON.stringify({ owner: 'a', app: 'b', system: 'c' }))
    chmodSync(join(folder, 'postgres/passwords.json'), 0o644)
    await expect(startEmbedded({ dataDir: folder })).rejects.toThrow(
      /does not accept the passwords .*local all all trust/,
    )
    writeFileSync(join(folder, 'postgres/passwords.json'), 'scribble')
    await expect(startEmbedded({ dataDir: folder })).rejects.toThrow(
      /does not hold the passwords .*passwords\.json|passwords\.json does not hold/,
    )
    expect(modeOf(join(folder, 'postgres/passwords.json'))).toBe(0o600)
  })
})
