import Fastify from 'fastify'
import { expect, test } from 'vitest'
import { acceptForms, parseForm, queryOf } from './form.ts'

test('brackets make lists and objects, and an empty text stays one', () => {
  expect(parseForm('line_items[0][price]=price_1&expand[]=customer&metadata[a%20b]=c%26d&name=')).toEqual({
    line_items: [{ price: 'price_1' }],
    expand: ['customer'],
    metadata: { 'a b': 'c&d' },
    name: '',
  })
  expect(queryOf('/v1/prices?lookup_keys[0]=a&active=true')).toEqual({ lookup_keys: ['a'], active: 'true' })
  expect(queryOf('/v1/prices')).toEqual({})
})

test('a form cannot reach what every object inherits', () => {
  expect(parseForm('__proto__[polluted]=yes&constructor[prototype][polluted]=yes')).not.toHaveProperty('polluted')
  expect({}).not.toHaveProperty('polluted')
})

test('inside the plugin its own reading of forms holds, outside whatever was there', async () => {
  const app = Fastify()
  const FORM = 'application/x-www-form-urlencoded'
  app.addContentTypeParser(FORM, { parseAs: 'string' }, async () => 'read by the app')
  app.post('/outside', async ({ body }) => ({ body }))
  await app.register(async (inner) => {
    acceptForms(inner)
    inner.post('/inside', async ({ body }) => ({ body }))
  })
  const post = (url: string) =>
    app.inject({ method: 'POST', url, headers: { 'content-type': FORM }, payload: 'a[0]=b' })
  expect((await post('/inside')).json()).toEqual({ body: { a: ['b'] } })
  expect((await post('/outside')).json()).toEqual({ body: 'read by the app' })
})
