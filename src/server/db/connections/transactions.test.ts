import pg from 'pg'
import sql, { raw, type Sql } from 'sql-template-tag'
import { describe, expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { openDatabase } from '#server/boot/open-database.ts'
import { CustomerEntity } from '#server/customers/customer.entity.ts'
import { NotificationEntity } from '#server/notifications/notification.entity.ts'
import { anAccount, requireReader, useWorld } from '#support/world.ts'
import { openPool } from './pool.ts'

const world = useWorld()

async function anAccountId(): Promise<number> {
  return requireReader(await anAccount(world)).accountId
}

const IdRow = z.object({ id: z.int() })
const COUNT = sql`select count(*)::int as customers from customers`
const insert = (accountId: number, name: string) =>
  sql`insert into customers (account_id, name) values (${accountId}, ${name}) returning id`

/** Ends the connections to this database of which this is true, once there are any. */
async function endConnections(which: string) {
  const owner = new pg.Client(world.connection)
  await owner.connect()
  const text = `select count(pg_terminate_backend(pid, 5000))::int as ended from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid() and ${which}`
  await expect.poll(async () => (await owner.query(text)).rows).not.toEqual([{ ended: 0 }])
  await owner.end()
}

describe('a read', () => {
  test('sees the rows of its account alone, also without naming it', async () => {
    const [mine, theirs] = [await anAccountId(), await anAccountId()]
    await world.db.writeAs(mine, (_em, run) => run(insert(mine, 'Mine')))
    expect(await world.db.readAs(mine)(COUNT)).toEqual([{ customers: 1 }])
    expect(await world.db.readAs(theirs)(COUNT)).toEqual([{ customers: 0 }])
  })

  test('cannot write', async () => {
    const accountId = await anAccountId()
    await expect(world.db.readAs(accountId)(insert(accountId, 'A'))).rejects.toThrow('read-only transaction')
  })

  test('that fails says why, and the next ones are answered', async () => {
    const read = world.db.readAs(await anAccountId())
    const failing = sql`select 1 / ${0}::int as one`
    for (let round = 0; round < 20; round += 1) await expect(read(failing)).rejects.toThrow('division by zero')
    await expect(read(sql`select nothing`)).rejects.toThrow('column "nothing" does not exist')
    const many = Array.from({ length: 30 }, () => read(sql`select 6 / ${2}::int as three`))
    expect(await Promise.all(many)).toEqual(Array(30).fill([{ three: 3 }]))
  })

  test('whose connection is cut is repeated on another', async () => {
    const read = world.db.readAs(await anAccountId())
    const owner = new pg.Client(world.connection)
    await owner.connect()
    await owner.query('begin; lock table customers')
    const cut = read(COUNT)
    await endConnections(`wait_event_type = 'Lock' and query like '%customers%'`)
    await owner.end()
    expect(await cut).toEqual([{ customers: 0 }])
  })

  test('takes and gives values of every kind', async () => {
    const read = world.db.readAs(await anAccountId())
    const odd = `it's "x" {,} \\ \n ü`
    const [row] = await read(sql`select ${odd}::text as text, ${12}::int as int, ${true}::boolean as yes,
      ${null}::text as none, ${[odd, null, 'b']}::text[] as texts, ${[1, 2]}::int[] as ints,
      ${new Date('2026-03-10T12:00:00Z')}::timestamptz at time zone 'UTC' = '2026-03-10 12:00' as instant,
      ${{ a: 1 }}::json as json, ${Buffer.from([0, 255])}::bytea as bytes, '2026-03-10'::date as day, 2.5::float8 as half`)
    expect(row).toEqual({
      text: odd,
      int: 12,
      yes: true,
      none: null,
      texts: [odd, null, 'b'],
      ints: [1, 2],
      instant: true,
      json: { a: 1 },
      bytes: Buffer.from([0, 255]),
      day: '2026-03-10',
      half: 2.5,
    })
  })

  test('is answered also where statements vary endlessly', async () => {
    const read = world.db.readAs(await anAccountId())
    for (let column = 0; column < 600; column += 1) {
      const [row] = await read(sql`select ${column}::int as ${raw(`c${column}`)}`)
      expect(row).toEqual({ [`c${column}`]: column })
    }
  })
})

describe('a write', () => {
  test('is one transaction of entities and statements', async () => {
    const accountId = await anAccountId()
    const seen = await world.db.writeAs(accountId, async (em, run) => {
      em.create(CustomerEntity, { accountId, name: 'Entity' })
      await em.flush()
      await run(insert(accountId, 'Statement'))
      em.create(CustomerEntity, { accountId, name: 'Flushed at the end' })
      return run(COUNT)
    })
    expect(seen).toEqual([{ customers: 2 }])
    expect(await world.db.readAs(accountId)(COUNT)).toEqual([{ customers: 3 }])
  })

  test('that fails leaves nothing behind, and the next one succeeds', async () => {
    const accountId = await anAccountId()
    for (let round = 0; round < 10; round += 1) {
      const failing = world.db.writeAs(accountId, async (em, run) => {
        await run(insert(accountId, 'Lost'))
        await em.execute('select 1 / 0')
      })
      await expect(failing).rejects.toThrow('division by zero')
      const refused = world.db.writeAs(accountId, (_em, run) => run(insert(accountId, ' ')))
      await expect(refused).rejects.toThrow('customers_name_check')
    }
    expect(await world.db.readAs(accountId)(COUNT)).toEqual([{ customers: 0 }])
    await world.db.writeAs(accountId, (_em, run) => run(insert(accountId, 'Kept')))
    expect(await world.db.readAs(accountId)(COUNT)).toEqual([{ customers: 1 }])
  })

  test('that does nothing needs no transaction', async () => {
    expect(await world.db.writeAs(await anAccountId(), async () => 'done')).toBe('done')
  })

  test('leaves its account with nobody who comes after it on the connection', async () => {
    const accountId = await anAccountId()
    await Promise.all(Array.from({ length: 20 }, () => world.db.writeAs(accountId, (em) => em.execute('select 1'))))
    expect(await world.db.orm.em.fork().execute(`select * from accounts`)).toEqual([])
  })

  test('whose connection is cut before the commit is repeated on another', async () => {
    const accountId = await anAccountId()
    let runs = 0
    const rows = await world.db.writeAs(accountId, async (_em, run) => {
      runs += 1
      await run(insert(accountId, 'Mine'))
      const [row] = await run(sql`select pg_backend_pid() as pid`, z.object({ pid: z.int() }))
      if (runs === 1) await endConnections(`pid = ${row?.pid}`)
      return run(COUNT)
    })
    expect([runs, rows]).toEqual([2, [{ customers: 1 }]])
  })

  test('prepares a statement once, and none into which MikroORM has written the values', async () => {
    const accountId = await anAccountId()
    const Prepared = z.object({ statement: z.string() })
    // Connections that nobody has prepared anything on: the tests before may have prepared as much as one holds.
    const db = await openDatabase(world.connection)
    onTestFinished(() => db.close())
    const prepared = await db.as('operator').writeAs(accountId, async (em, run) => {
      for (const name of ['A', 'B', 'C']) await run(insert(accountId, name))
      await em.findOne(CustomerEntity, { accountId, name: 'B' })
      await run(sql`select count(*)::int as "each time" from customers where name <> ${'A'}`, z.unknown(), 'each time')
      return run(sql`select statement from pg_prepared_statements where statement ilike '%customers%'`, Prepared)
    })
    expect(prepared.filter(({ statement }) => statement.startsWith('insert'))).toHaveLength(1)
    expect(prepared.filter(({ statement }) => statement.includes(`'B'`))).toEqual([])
    expect(prepared.filter(({ statement }) => statement.includes('as "each time"'))).toEqual([])
  })

  test('whose first statement fails is rolled back, and nothing of it stays on the connection', async () => {
    const accountId = await anAccountId()
    for (let round = 0; round < 10; round += 1) {
      const failing = world.db.writeAs(accountId, (_em, run) => run(sql`select 1 / ${0}::int as one`))
      await expect(failing).rejects.toThrow('division by zero')
    }
    const statement = sql`select pg_current_xact_id()::text as id, current_setting('app.account_id') as account`
    const Transaction = z.object({ id: z.string(), account: z.literal(String(accountId)) })
    const [first, second] = await world.db.writeAs(accountId, async (_em, run) => [
      await run(statement, Transaction),
      await run(statement, Transaction),
    ])
    expect(second).toEqual(first)
  })

  test('whose failed statement was kept quiet about is no success', async () => {
    const accountId = await anAccountId()
    const quiet = world.db.writeAs(accountId, async (_em, run) => {
      await run(insert(accountId, 'Lost'))
      await run(sql`select 1 / 0`).catch(() => [])
    })
    await expect(quiet).rejects.toThrow('nothing was written')
  })

  test('whose failed change of an entity was kept quiet about is no success either', async () => {
    const accountId = await anAccountId()
    const quiet = world.db.writeAs(accountId, async (em) => {
      em.create(NotificationEntity, { accountId, type: 'other', title: 'T', message: 'M', actionUrl: 'no path' })
      await em.flush().catch(() => {})
    })
    await expect(quiet).rejects.toThrow('nothing was written')
  })

  test('whose first value cannot be written goes on in its account', async () => {
    const accountId = await anAccountId()
    const rows = await world.db.writeAs(accountId, async (_em, run) => {
      await expect(run(sql`select ${new Date(Number.NaN)}::text as none`)).rejects.toThrow('Invalid time value')
      return run(sql`select current_setting('app.account_id') as account`)
    })
    expect(rows).toEqual([{ account: String(accountId) }])
  })

  test('is done again where two wait for each other', async () => {
    const accountId = await anAccountId()
    const locked = [Promise.withResolvers<void>(), Promise.withResolvers<void>()] as const
    const crosswise = (own: 0 | 1) => {
      const lock = (key: number) => sql`select pg_advisory_xact_lock(${key}::bigint)`
      return world.db.writeAs(accountId, async (_em, run) => {
        await run(lock(own))
        locked[own].resolve()
        await locked[own === 0 ? 1 : 0].promise
        await run(lock(own === 0 ? 1 : 0))
        return own
      })
    }
    expect(await Promise.all([crosswise(0), crosswise(1)])).toEqual([0, 1])
  })
})

describe('a write for several accounts', () => {
  test('shows each statement the rows of its account alone, whichever came before it', async () => {
    const [mine, theirs] = [await anAccountId(), await anAccountId()]
    const counts = await world.db.writeTogether(async (write) => {
      await write([{ accountId: mine, statement: insert(mine, 'Mine') }])
      return write([mine, theirs, mine].map((accountId) => ({ accountId, statement: COUNT })))
    })
    expect(counts).toEqual([[{ customers: 1 }], [{ customers: 0 }], [{ customers: 1 }]])
  })

  test('writes for none of them where one statement fails, and for nobody else', async () => {
    const [mine, theirs] = [await anAccountId(), await anAccountId()]
    const together = (statement: Sql) =>
      world.db.writeTogether((write) =>
        write([
          { accountId: mine, statement: insert(mine, 'Mine') },
          { accountId: mine, statement },
        ]),
      )
    await expect(together(insert(theirs, 'Theirs'))).rejects.toThrow('row-level security')
    await expect(together(sql`select 1 / ${0}::int as one`)).rejects.toThrow('division by zero')
    for (const accountId of [mine, theirs]) expect(await world.db.readAs(accountId)(COUNT)).toEqual([{ customers: 0 }])
  })

  test('whose failed statement was kept quiet about is no success', async () => {
    const accountId = await anAccountId()
    const quiet = world.db.writeTogether((write) =>
      write([{ accountId, statement: sql`select 1 / ${0}::int as one` }]).catch(() => {}),
    )
    await expect(quiet).rejects.toThrow('nothing was written')
  })

  test('of no statements asks nobody', async () => {
    expect(await world.db.writeTogether((write) => write([]))).toEqual([])
  })
})

test('a connection that is cut while nothing is asked of it fails whoever has it, and nobody else', async () => {
  const pool = openPool({ ...world.connection, max: 1 })
  const client = await pool.connect()
  await client.query('begin /* and then nothing */')
  await endConnections(`query like 'begin /* and%'`)
  await expect(client.query('select 1')).rejects.toThrow(/terminat|connection/i)
  client.release()
  expect((await pool.query('select 1 as one')).rows).toEqual([{ one: 1 }])
  await pool.end()
})

test('a job whose lock loses its connection is told so, and the next one runs', async () => {
  const held = world.db.oneAtATime('cut', async () => {
    await endConnections(
      `query like '%pg_advisory_lock%' and pid in (select pid from pg_locks where locktype = 'advisory')`,
    )
    return 'done'
  })
  expect(await held).toBe('done')
  expect(await world.db.oneAtATime('cut', async () => 'next')).toBe('next')
})

test('a write that waits too long for another one is refused, and changes nothing', async () => {
  const accountId = await anAccountId()
  const holder = new pg.Client(world.connection)
  await holder.connect()
  await world.db.writeAs(accountId, (_em, run) => run(insert(accountId, 'Mine')))
  await holder.query('begin; lock table customers in share row exclusive mode')
  const refused = { key: 'ACCOUNT_BUSY', code: 'CONFLICT' }
  const wait = sql`set local lock_timeout = '1ms'`
  const plain = world.db.writeAs(accountId, async (_em, run) => {
    await run(wait)
    await run(insert(accountId, 'Other'))
  })
  await expect(plain).rejects.toMatchObject(refused)
  const byEntity = world.db.writeAs(accountId, async (em, run) => {
    await run(wait)
    await em.nativeUpdate(CustomerEntity, { accountId }, { name: 'Renamed' })
  })
  await expect(byEntity).rejects.toMatchObject(refused)
  await holder.end()
  expect(await world.db.readAs(accountId)(sql`select name from customers`)).toEqual([{ name: 'Mine' }])
})

test('a statement across accounts that a deadlock has ended is run again, and not for ever', async () => {
  const owner = new pg.Client(world.connection)
  await owner.connect()
  // A sequence goes on although its transaction is rolled back.
  await owner.query(`
    create sequence tried;
    grant usage on sequence tried to traxx_system;
    create function fail_until(times int) returns int language plpgsql as $$
      declare attempt int := nextval('tried');
      begin
        if attempt < times then raise exception 'rolled back' using errcode = '40P01'; end if;
        return attempt;
      end $$`)
  try {
    expect((await world.db.system.query('select fail_until(3) as attempt')).rows).toEqual([{ attempt: 3 }])
    await expect(world.db.system.query('select fail_until(99)')).rejects.toThrow('rolled back')
  } finally {
    await owner.query('drop function fail_until; drop sequence tried')
    await owner.end()
  }
})

describe('a statement that is run later', () => {
  test('is sent with the next one, before it', async () => {
    const accountId = await anAccountId()
    const counted = world.db.writeAs(accountId, async (_em, write) => {
      await write.later(insert(accountId, 'A'))
      await write.later(insert(accountId, 'B'))
      return write(COUNT)
    })
    expect(await counted).toEqual([{ customers: 2 }])
  })

  test('is sent with the commit', async () => {
    const accountId = await anAccountId()
    await world.db.writeAs(accountId, (_em, write) => write.later(insert(accountId, 'A')))
    expect(await world.db.readAs(accountId)(COUNT)).toEqual([{ customers: 1 }])
  })

  test('that fails with the commit undoes all of it, and says why', async () => {
    const accountId = await anAccountId()
    const failing = world.db.writeAs(accountId, async (_em, write) => {
      await write(insert(accountId, 'A'))
      await write.later(sql`select 1 / ${0}::int`)
    })
    await expect(failing).rejects.toThrow('division by zero')
    expect(await world.db.readAs(accountId)(COUNT)).toEqual([{ customers: 0 }])
    await world.db.writeAs(accountId, (_em, write) => write(insert(accountId, 'B')))
    expect(await world.db.readAs(accountId)(COUNT)).toEqual([{ customers: 1 }])
  })

  test('is not run if the work fails', async () => {
    const accountId = await anAccountId()
    const add = (name: string) => world.db.writeAs(accountId, (_em, write) => write(insert(accountId, name), IdRow))
    const [first] = await add('A')
    const failing = world.db.writeAs(accountId, async (_em, write) => {
      await write.later(insert(accountId, 'B'))
      throw new Error('refused')
    })
    await expect(failing).rejects.toThrow('refused')
    // A rollback does not give back the ID of a row.
    expect(await add('C')).toEqual([{ id: (first?.id ?? 0) + 1 }])
  })
})
