import { expect, test } from 'vitest'
import { CreateContract, UpdateContract } from './contracts.ts'
import { UpdateCustomer } from './customers.ts'
import { ImportContract } from './import-rows.ts'

const CONTRACT = { amount: 100, startDate: '2026-01-31', renewalCycle: 'monthly', renewalDate: '2026-02-28' }

test.each([
  ['contract', UpdateContract],
  ['customer', UpdateCustomer],
])('a field of a %s that is not sent is not changed: no field has a default', (_what, schema) => {
  expect(schema.parse({ id: 1 })).toEqual({ id: 1 })
})

test('clients that know no newer field can still create contracts: each field beyond these has a default', () => {
  const sent = { ...CONTRACT, customerId: 1, status: 'active' }
  expect(CreateContract.safeParse(sent)).toMatchObject({ success: true })
})

test('files without a newer column can still be imported', () => {
  expect(ImportContract.safeParse({ ...CONTRACT, customerName: 'Acme Ltd' })).toMatchObject({ success: true })
})
