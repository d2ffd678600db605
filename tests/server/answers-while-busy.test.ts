import { expect, test } from 'vitest'
import { afterEarlierProofs } from '#server/proofs/append-proof.ts'
import { PAGE } from '#support/answering.ts'
import { useReminded } from '#support/reminded-customers.ts'

const { aReminded, open, post } = useReminded()

/** More than an account's answers may wait for. */
const LINE = 102

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
