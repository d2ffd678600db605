import { expect, test } from 'vitest'
import { CreateApiKey } from './accounts.ts'
import { ContactMessage } from './contact.ts'
import { CreateCustomer, UpdateCustomer } from './customers.ts'
import { ImportContract } from './import-rows.ts'

const ON_ONE_LINE: [string, string][] = [
  ['Harbor\r\nBakery', 'Harbor Bakery'],
  ['Harbor\tBakery\n', 'Harbor Bakery'],
  ['\u2028Harbor\u2028\u2029Bakery', 'Harbor Bakery'],
  ['Harbor  Bakery', 'Harbor  Bakery'],
]

test.each(ON_ONE_LINE)('a name, a phone and a customer number are on one line: %j', (written, read) => {
  const given = { name: written, phone: written, customerNumber: written }
  const kept = { name: read, phone: read, customerNumber: read }
  expect(CreateCustomer.parse(given)).toMatchObject(kept)
  expect(UpdateCustomer.parse({ id: 1, ...given })).toMatchObject(kept)
  expect(CreateApiKey.parse({ name: written })).toMatchObject({ name: read })
})

test('what is blank then is none, and no name', () => {
  expect(CreateCustomer.parse({ name: 'A', phone: '\n', customerNumber: '\t' })).toMatchObject({
    phone: null,
    customerNumber: null,
  })
  expect(CreateCustomer.safeParse({ name: '\r\n' }).error?.issues).toMatchObject([
    { path: ['name'], message: 'Customer name is required' },
  ])
})

test.each(['\u200b', '\u2060\u200d', '\u202e', '\u3164', '\u2800'])('a name that nobody sees is none: %j', (unseen) => {
  const words = (parsed: { error?: { issues: { message: string }[] } | undefined }) => parsed.error?.issues[0]?.message
  expect(words(CreateCustomer.safeParse({ name: unseen }))).toBe('Customer name is required')
  expect(words(UpdateCustomer.safeParse({ id: 1, name: unseen }))).toBe('Customer name is required')
  expect(words(CreateApiKey.safeParse({ name: unseen }))).toBe('Name is required')
  expect(words(ContactMessage.safeParse({ name: unseen, email: 'a@b.test', message: 'Hi' }))).toBe('Enter your name')
  expect(ImportContract.shape.customerName.parse(unseen)).toBeNull()
})

test.each(['\u0000', '\u0007', '\u001B', '\u0085'])('other control characters are refused: %j', (character) => {
  const fields = { name: `a${character}b`, phone: `a${character}b`, customerNumber: `a${character}b` }
  const issues = CreateCustomer.safeParse(fields).error?.issues
  expect(new Set(issues?.map(({ message }) => message))).toEqual(new Set(['Must not contain control characters']))
  expect(new Set(issues?.map(({ path }) => path[0]))).toEqual(new Set(Object.keys(fields)))
})

test('an address may have lines', () => {
  expect(CreateCustomer.parse({ name: 'A', address: '12 Pier Road\nHarbor' }).address).toBe('12 Pier Road\nHarbor')
})
