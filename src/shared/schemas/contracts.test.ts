import { expect, test } from 'vitest'
import { UpdateContract } from './contracts.ts'
import { UpdateCustomer } from './customers.ts'

test.each([
  ['contract', UpdateContract],
  ['customer', UpdateCustomer],
])('a field of a %s that is not sent is not changed: no field has a default', (_what, schema) => {
  expect(schema.parse({ id: 1 })).toEqual({ id: 1 })
})
