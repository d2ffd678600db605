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
