import pg from 'pg'
import sql from 'sql-template-tag'
import { expect, test } from 'vitest'
import { bearer, call, useApp } from '#support/app.ts'
import { anAccount, requireReader, useWorld } from '#support/world.ts'

const world = useWorld()
const server = useApp(world)

/** More than there are connections. */
const OTHERS = 20
const ASKED = 60
/** One runs, and as many wait as have fewer than 1,000 pieces of work before them: one of each account for each of theirs. */
const REFUSED = ASKED - 1 - Math.floor(1000 / (OTHERS + 1))

test('what would have to wait too long is refused at once by REST and tRPC, and everything else is answered', async () => {
  const others: number[] = []
  for (let made = 0; made < OTHERS; made += 1) others.push(requireReader(await anAccount(world)).accountId)
  const headers = bearer(await anAccount(world))
  const owner = new pg.Client(world.connection)
  await owner.connect()
  await owner.query('begin; lock table customers')
  const held = others.map((accountId) =>
    world.db.readAs(accountId)(sql`select count(*)::int as customers from customers`),
  )
  let refused = 0
  const asked = Array.from({ length: ASKED }, async () => {
    const answer = await call(server, { url: '/customers?limit=1', headers })
    if (answer.status === 503) refused += 1
    return answer
  })
  await expect.poll(() => refused).toBe(REFUSED)
  const message = 'The server is very busy. Please try again in a few seconds'
  const onScreen = await server.app.inject({ url: '/trpc/customers.list?input={"json":{}}', headers })
  expect(onScreen).toMatchObject({ statusCode: 503, headers: { 'retry-after': '5' } })
  expect(onScreen.json()).toMatchObject({
    error: { json: { message, data: { refusal: 'SERVER_BUSY', retryAfterSeconds: 5 } } },
  })
  await owner.end()
  await Promise.all(held)
  const answers = await Promise.all(asked)
  const busy = { status: 503, body: { error: message, refusal: 'SERVER_BUSY' }, headers: { 'retry-after': '5' } }
  for (const answer of answers) expect(answer.status === 503 ? answer : busy).toMatchObject(busy)
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(ASKED - REFUSED)
})
