import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { bearer, call, useApp } from '#support/app.ts'
import { anAccount, useWorld } from '#support/world.ts'

const world = useWorld()
const lines: string[] = []
const server = useApp(world, {}, { logTo: { write: (line) => void lines.push(line) } })

/** The database refuses every customer, and names the values of the row, as PostgreSQL does. */
async function refuseCustomers(): Promise<void> {
  const owner = new pg.Client(world.connection)
  await owner.connect()
  onTestFinished(async () => {
    await owner.query('drop function refuse cascade')
    await owner.end()
  })
  await owner.query(`
    create function refuse() returns trigger language plpgsql as $$ begin
      raise exception 'no % here', new.email using detail = 'the row of ' || new.name, errcode = '23514';
    end $$;
    create trigger refuse before insert on customers for each row execute function refuse()`)
}

test('a fault is logged with the IDs of its request and account, and without what was typed', async () => {
  const request = await anAccount(world)
  await refuseCustomers()
  lines.length = 0
  const customer = { name: 'Lovelace', email: 'lovelace@example.com' }
  const post = (url: string, payload: object) =>
    call(server, { method: 'POST', url, headers: bearer(request), payload })
  const answers = await Promise.all([post('/customers', customer), post('/trpc/customers.create', { json: customer })])
  expect(answers.map(({ status }) => status)).toEqual([500, 500])
  expect(JSON.stringify(answers.map(({ body }) => body))).not.toMatch(/lovelace|refuse|23514/i)
  const logged = lines.map((line): unknown => JSON.parse(line))
  for (const { headers } of answers) {
    const err = expect.objectContaining({
      code: '23514',
      message: 'no <email> here',
      stack: expect.stringMatching(/^ +at /),
    })
    const line = { reqId: headers['x-request-id'], accountId: request.caller?.id, msg: 'fault', err }
    expect(logged).toContainEqual(expect.objectContaining(line))
  }
  expect(lines.join('')).not.toMatch(/lovelace/i)
})

test.each([
  ['/contracts?search=lovelace', '/contracts'],
  ['/trpc/customers.list?input=%7B%22search%22%3A%22lovelace%22%7D', '/trpc/:path'],
  ['/customers/7', '/customers/:id'],
  ['/unsubscribe/1.m2.secret', '/unsubscribe/:token'],
  ['/unsubscribe/1.m2.secret/undo?utm=1', '/unsubscribe/:token/undo'],
  ['/report/1.m2.secret', '/report/:token'],
  ['/nowhere?search=lovelace', undefined],
])('of %s the log has %s', async (url, route) => {
  const headers = bearer(await anAccount(world))
  lines.length = 0
  server.app.log.level = 'info'
  await server.app.inject({ url, headers, remoteAddress: '203.0.113.7' })
  server.app.log.level = 'warn'
  const requests = lines.map((line): unknown => Reflect.get(JSON.parse(line), 'req')).filter(Boolean)
  expect(requests).toEqual([{ method: 'GET', ...(route && { route }) }])
  expect(lines.join('')).not.toMatch(/lovelace|secret|Bearer|203\.0/)
})
