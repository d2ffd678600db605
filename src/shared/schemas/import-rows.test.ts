import { expect, test } from 'vitest'
import { UPDATED_FIELDS } from '#shared/domain/contract-update.ts'
import { ImportChange } from './import-rows.ts'

/** By these a row says which contract and which of its terms it is about. */
const IDENTIFYING = ['reference', 'customerId', 'customerName', 'customerNumber', 'termNumber']

test('whatever else a row says of a contract, an update changes', () => {
  const said = Object.keys(ImportChange.shape).filter((field) => !IDENTIFYING.includes(field))
  expect(said.toSorted()).toEqual(UPDATED_FIELDS.toSorted())
})
