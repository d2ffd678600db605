import pg from 'pg'
import sql from 'sql-template-tag'
import { expect, test } from 'vitest'
import { afterEarlierProofs } from '#server/proofs/append-proof.ts'
import { PAGE } from '#support/answering.ts'
import { useReminded } from '#support/reminded-customers.ts'

const { world, aReminded, open, post } = useReminded()

/** More than an account's answers may wait for. */
const LINE = 102

/** More than may be read at once, and wait for it, by all links. */
const LINKS = 103
const LOCK = 20_260_102
const HIDDEN = /<input type="hidden" name="(\w+)" value="([^"]*)">/g

test('an answer that an account is too busy to take is kept in its form, which says so', async () => {
  const { link, request, answers } = await aReminded()
  const { body: form } = await open(`${link}/change`)
  const fields = { choice: 'change', page: PAGE.exec(form)?.[1] ?? '', wishedAmount: '80', words: 'Less, please' }
  const { promise, resolve } = Promise.withResolvers<void>()
  const held = Array.from({ length: LINE }, () => afterEarlierProofs(request.caller?.id ?? 0, () => promise))
  const busy = await post(link, fields)
  expect(busy.statusCode).toBe(429)
  expect(busy.headers['retry-after']).toBe('5')
  expect(busy.body).toContain('Your answer was not taken yet, because this page is very busy. Please send it again')
  for (const entered of ['value="80"', '>Less, please</textarea>', '<button>Send to '])
    expect(busy.body).toContain(entered)
  expect(busy.body).not.toContain('from your network')
  expect(await answers()).toEqual([])
  resolve()
  await Promise.all(held)
  const page = PAGE.exec(busy.body)?.[1] ?? ''
  expect((await post(link, { ...fields, page })).statusCode).toBe(303)
  expect(await answers()).toMatchObject([{ words: 'Less, please', wishedAmount: 80 }])
})

test('what a customer entered is kept to be sent again where not even its page can be shown', async () => {
  const { link, request, answers } = await aReminded()
  const { body: form } = await open(`${link}/change`)
  const page = PAGE.exec(form)?.[1] ?? ''
  const fields = { choice: 'change', page, wishedAmount: '80', words: 'Less, "please"', unknown: 'dropped' }
  const owner = new pg.Client(world.connection)
  await owner.connect()
  await owner.query(`select pg_advisory_lock(${LOCK})`)
  const read = request.db.as('link').readAs(request.caller?.id ?? 0)
  const held = Array.from({ length: LINKS }, () => read(sql`select pg_advisory_xact_lock_shared(${LOCK})::text`))
  const busy = await post(link, { ...fields, wishedDate: '2027-03-17' })
  expect(busy.statusCode).toBe(429)
  expect(busy.headers['retry-after']).toBe('5')
  expect(busy.body).toContain('Your answer was not taken yet. Please send it again in a few seconds.')
  await owner.query(`select pg_advisory_unlock(${LOCK})`)
  await Promise.all([...held, owner.end()])
  expect(await answers()).toEqual([])
  const kept = Object.fromEntries([...busy.body.matchAll(HIDDEN)].map(([, name, value]) => [name, value]))
  expect(kept).toEqual({
    choice: 'change',
    page,
    wishedAmount: '80',
    wishedDate: '2027-03-17',
    words: 'Less, &#34;please&#34;',
  })
  expect((await post(link, { ...fields, wishedDate: '2027-03-17' })).statusCode).toBe(303)
  expect(await answers()).toMatchObject([{ words: 'Less, "please"', wishedAmount: 80 }])
})
