import pg from 'pg'
import { afterEach, expect, test } from 'vitest'
import { freePort, startApp, type AppProcess } from '#support/app-process.ts'
import { aPerson, urlOf, type Person } from '#support/full-server.ts'
import { pay } from '#support/hosted-pages.ts'
import { useWorld } from '#support/world.ts'

const world = useWorld()
const GATE = 77_150

/** The statements that wait at the gate: storing what Stripe has answered, and writing a contract. */
const CLOSE = `
  create function wait_at_gate() returns trigger language plpgsql as
    'begin perform pg_advisory_xact_lock(${GATE}); return new; end';
  create trigger gate before update of stripe_customer_id, subscription_read_at on accounts
    for each row execute function wait_at_gate();
  create trigger gate before insert on contracts for each row execute function wait_at_gate();
  select pg_advisory_lock(${GATE})`
const OPEN = `
  select pg_advisory_unlock_all();
  drop function if exists wait_at_gate cascade`
const WAITING = `
  select pid from pg_locks where locktype = 'advisory' and not granted and objid = ${GATE}
    and database = (select oid from pg_database where datname = current_database())`
/** Webhooks that are still under way. */
const UNTOLD = `select from standin.stripe_deliveries where state in ('pending', 'sending')`

const undo: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const step of undo.splice(0).reverse()) await step()
})

async function startOn(port: number): Promise<AppProcess> {
  const DATABASE_URL = urlOf(world.connection)
  const app = startApp({
    NODE_ENV: 'test',
    PORT: String(port),
    DATABASE_URL,
    DATA_DIR: '.data/test-kill',
    LOG_LEVEL: 'fatal',
  })
  undo.push(() => {
    app.child.kill('SIGKILL')
    return app.ended
  })
  await app.says('TRAXX is ready at')
  return app
}

async function administrator(): Promise<pg.Client> {
  const client = new pg.Client(world.connection)
  await client.connect()
  undo.push(() => client.query(OPEN).then(() => client.end()))
  return client
}

/** Stops the server dead, as many statements waiting at the gate as there should be, and what they would have done with it. */
async function killAt(admin: pg.Client, { child, ended }: AppProcess, waiting: number): Promise<void> {
  await expect.poll(async () => (await admin.query(WAITING)).rowCount).toBe(waiting)
  child.kill('SIGKILL')
  await ended
  await admin.query(`select pg_terminate_backend(pid) from (${WAITING}) waiting`)
  await expect.poll(async () => (await admin.query(WAITING)).rowCount).toBe(0)
  await admin.query(OPEN)
}

/** How many customers and subscriptions Stripe has of somebody. */
async function atStripe(admin: pg.Client, { userId }: Person) {
  const { rows } = await admin.query<{ object: string }>(
    `select object from standin.stripe_objects
      where object in ('customer', 'subscription') and data->'metadata'->>'userId' = $1 order by object`,
    [userId],
  )
  return rows.map(({ object }) => object)
}

const ONE_OF_EACH = ['customer', 'subscription']

async function subscribe({ trpc }: Person) {
  const { url } = await trpc.billing.startCheckout.mutate()
  expect((await pay(url)).status).toBe(303)
  return trpc.billing.refresh.mutate()
}

test('a server that is killed leaves one customer, one subscription, and the sample data whole or not at all', async () => {
  const port = await freePort()
  const server = { url: `http://localhost:${port}` }
  const app = await startOn(port)
  const admin = await administrator()
  const [buyer, again, payer, beginner] = await Promise.all([
    aPerson(server),
    aPerson(server),
    aPerson(server),
    aPerson(server),
  ])
  const firstPage = await again.trpc.billing.startCheckout.mutate()
  const paidPage = await payer.trpc.billing.startCheckout.mutate()
  await subscribe(beginner)

  await expect.poll(async () => (await admin.query(UNTOLD)).rowCount).toBe(0)

  await admin.query(CLOSE)
  expect((await pay(paidPage.url)).status).toBe(303)
  const cutOff = Promise.allSettled([
    buyer.trpc.billing.startCheckout.mutate(),
    again.trpc.billing.startCheckout.mutate(),
    payer.trpc.billing.refresh.mutate(),
    beginner.trpc.imports.loadSample.mutate(),
  ])
  await killAt(admin, app, 4)
  expect((await cutOff).map(({ status }) => status)).toEqual(Array.from({ length: 4 }, () => 'rejected'))
  expect(await atStripe(admin, buyer)).toEqual(['customer'])

  await startOn(port)
  expect(await payer.trpc.billing.refresh.mutate()).toMatchObject({ status: 'trialing', access: 'full' })
  expect(await subscribe(buyer)).toMatchObject({ status: 'trialing' })
  expect(await subscribe(again)).toMatchObject({ status: 'trialing' })
  expect((await pay(firstPage.url)).status).toBe(410)
  for (const person of [buyer, again, payer]) expect(await atStripe(admin, person)).toEqual(ONE_OF_EACH)

  const empty = { totalContracts: 0, totalCustomers: 0, sampleImportId: null }
  expect(await beginner.trpc.dashboard.get.query()).toMatchObject(empty)
  const { id } = await beginner.trpc.imports.loadSample.mutate()
  expect(await beginner.trpc.dashboard.get.query()).toMatchObject({ totalContracts: 22, sampleImportId: id })
  await beginner.trpc.imports.undo.mutate({ id })
  expect(await beginner.trpc.dashboard.get.query()).toMatchObject(empty)
})
