import { expect, test } from 'vitest'
import { ContractFilter, CustomerFilter } from '#shared/schemas/filters.ts'
import { ContractsSearch } from '#client/contracts/contracts-search.ts'
import { CustomersSearch } from '#client/customers/customers-search.ts'
import { lenientSearch } from './lenient-search.ts'

const contracts = (address: object) => lenientSearch(ContractsSearch)['~standard'].validate(address).value
const customers = (address: object) => lenientSearch(CustomersSearch)['~standard'].validate(address).value

test('an address that says nothing has the defaults', () => {
  expect(contracts({})).toEqual({ sort: 'openFirst', direction: 'asc', size: 10, page: 1, skip: 0 })
  expect(customers({})).toEqual({ sort: 'name', direction: 'asc', size: 10, page: 1, skip: 0 })
})

test('an address says filter, search, sort and page', () => {
  const address = { search: 'bakery', status: 'ACTIVE', cycle: 'yearly', expiring: true, sort: 'amount', page: 3 }
  expect(contracts({ ...address, direction: 'desc', after: 'WyJ4Iiw3XQ' })).toEqual({
    ...address,
    status: 'active',
    direction: 'desc',
    after: 'WyJ4Iiw3XQ',
    size: 10,
    skip: 0,
  })
})

test('what is wrong in an address is left out, and the rest holds', () => {
  const address = { status: 'lost', page: 'many', sort: 7, search: 'bakery', direction: ['up'], stray: 1 }
  expect(contracts(address)).toEqual({
    search: 'bakery',
    sort: 'openFirst',
    direction: 'asc',
    size: 10,
    page: 1,
    skip: 0,
  })
})

test('what is wrong is named without a value, so that it does not hold after all', () => {
  expect(Object.keys(contracts({ status: 'lost' }))).toContain('status')
})

test.each([
  ['25', 25],
  [100, 100],
  ['11', 10],
  ['all', 10],
  ['', 10],
])('of sizes of a page there are four, of which %j is read as %j', (written, size) => {
  expect(contracts({ size: written }).size).toBe(size)
  expect(customers({ size: written }).size).toBe(size)
})

test('a search for digits is text', () => {
  expect(customers({ search: 5550101 })).toMatchObject({ search: '5550101' })
})

test('an address names the row, or the form, that lies open over the page', () => {
  expect(contracts({ open: 31 })).toMatchObject({ open: 31 })
  expect(customers({ open: 'new' })).toMatchObject({ open: 'new' })
  expect(customers({ open: 'old' }).open).toBeUndefined()
  expect(customers({ open: 0 }).open).toBeUndefined()
})

const VALUES = [
  '',
  ' Bakery ',
  'x'.repeat(201),
  'a\u0000b',
  'ACTIVE',
  'yearly',
  'True',
  7,
  'amount',
  'name',
  'DESC',
  'asc',
]

test.each(VALUES)('what is read of %j is what the server takes', (value) => {
  const address = Object.fromEntries(
    [
      'search',
      'status',
      'cycle',
      'overdue',
      'expiring',
      'renewsWithin',
      'startedIn',
      'noPdf',
      'addedIn',
      'withContracts',
      'sort',
      'direction',
    ].map((name) => [name, value]),
  )
  expect(contracts(address)).toMatchObject(ContractFilter.parse(contracts(address)))
  expect(customers(address)).toMatchObject(CustomerFilter.parse(customers(address)))
})
