import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addAnswerLinks, guessedTokens } from '#support/answer-links.ts'
import { useApp } from '#support/app.ts'
import { watchStatements } from '#support/watch-statements.ts'
import { aContract, aCustomer, anAccount, useWorld } from '#support/world.ts'

const world = useWorld()
const LIMIT = 2500
const GUESSES = 3000
const AT_ONCE = 50
const server = useApp(world, {}, { limits: { address: LIMIT } })
let owner: pg.Client
beforeAll(async () => {
  owner = new pg.Client(world.connection)
  await owner.connect()
})
afterAll(() => owner.end())

const PAGES = ['', '/renew', '/change', '/end', '/pdf']

/** Opens one of a link's pages, or answers by it. */
function tryLink(token: string, place = 0, remoteAddress = '192.0.2.1') {
  const url = `/answer/${token}`
  const page = PAGES[place % (PAGES.length + 1)]
  if (page !== undefined) return server.app.inject({ url: `${url}${page}`, remoteAddress })
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  return server.app.inject({ method: 'POST', url, headers, payload: 'choice=renew&page=1.x', remoteAddress })
}

test('guessed links find nothing, ask the database for nothing, and are counted for each network', async () => {
  const request = await anAccount(world)
  const { id: customerId } = await aCustomer(request, { email: 'orders@harbor.test' })
  await aContract(request, { customerId })
  const [link] = await addAnswerLinks(owner)
  if (!link) throw new Error('The contract has a link')
  expect((await tryLink(link.token, 0, '192.0.2.2')).statusCode).toBe(200)

  const guesses = guessedTokens(link, GUESSES)
  const statements = await watchStatements(owner)
  const answered: number[] = []
  for (let from = 0; from < GUESSES; from += AT_ONCE) {
    const some = guesses.slice(from, from + AT_ONCE).map((token, place) => tryLink(token, from + place))
    answered.push(...(await Promise.all(some)).map(({ statusCode }) => statusCode))
  }
  expect(new Set(answered.slice(0, LIMIT))).toEqual(new Set([404]))
  expect(new Set(answered.slice(LIMIT))).toEqual(new Set([429]))
  expect((await tryLink(link.token)).statusCode).toBe(429)
  expect((await tryLink(guesses[0] ?? '', 0, '192.0.2.2')).statusCode).toBe(404)
  expect(await statements()).toBe(0)

  expect((await tryLink(link.token, 0, '192.0.2.2')).statusCode).toBe(200)
  expect(await statements()).toBeGreaterThan(0)
})
