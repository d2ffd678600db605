import { readdirSync, writeFileSync } from 'node:fs'
import pg from 'pg'
import { MIGRATIONS_FOLDER } from '#server/db/connections/orm-config.ts'
import { openDatabase } from '#server/boot/open-database.ts'
import { fillAccount } from '#support/archives.ts'
import { memoryFiles } from '#support/services.ts'
import { simulate } from '#support/simulation/simulate.ts'
import { fixtureFile, fixtureOf } from '#support/upgrade-fixtures.ts'
import { anAccount } from '#support/world.ts'
import { openOwnDatabase } from '#bench/own-database.ts'

/**
 * `node scripts/upgrade-fixture.ts`: writes rows of this version, from which tests upgrade once there are later migrations.
 * They are those of eight accounts after a month of reminders, and of one with something of everything.
 */
await using stack = new AsyncDisposableStack()
const { connection, stop } = await openOwnDatabase()
stack.defer(stop)
await simulate({ connection, seed: 20_270_104, contracts: 16, days: 24 })
const client = new pg.Client(connection)
await client.connect()
stack.defer(() => client.end())
// Accounts of tests have the same IDs.
await client.query(`update accounts set clerk_user_id = 'simulated_' || id`)
const db = await openDatabase(connection)
stack.defer(() => db.close())
await fillAccount(await anAccount({ connection, db }, { company: null, services: { files: memoryFiles() } }))
const last = readdirSync(MIGRATIONS_FOLDER).toSorted().at(-1) ?? ''
const file = fixtureFile(last.replace(/\.ts$/, ''))
writeFileSync(file, await fixtureOf(client))
console.log(file)
