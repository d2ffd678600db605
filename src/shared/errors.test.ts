import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { AppError, REFUSALS, type RefusalKey } from './errors.ts'
import { CreateContract } from './schemas/contracts.ts'
import { CreateCustomer } from './schemas/customers.ts'

/** The specification's words, as far as the server says them. */
const TEXTS = JSON.parse(readFileSync(new URL('../../docs/texts.json', import.meta.url), 'utf8'))

test('refusals are said in the words of the specification', () => {
  const said = Object.entries(REFUSALS).map(([key, { message }]) => [key, message])
  expect(Object.fromEntries(said)).toMatchObject(TEXTS.refusals)
})

test('wrong fields are said in the words of the specification', () => {
  const contract = CreateContract.safeParse({ renewalCycle: 'monthly', status: 'active' }).error
  expect(new Set(contract?.issues.map((issue) => issue.message))).toEqual(new Set([TEXTS.fields['contracts.missing']]))
  const free = CreateContract.safeParse({ amount: 0 }).error?.issues.find((issue) => issue.path[0] === 'amount')
  expect(free?.message).toBe(TEXTS.fields['contracts.amount'])
  expect(CreateCustomer.safeParse({}).error?.issues[0]?.message).toBe(TEXTS.fields['customers.name'])
})

test('a refusal carries its code and words', () => {
  expect(new AppError('CUSTOMER_NOT_FOUND')).toMatchObject({ code: 'NOT_FOUND', message: 'Customer not found' })
})

test('a refusal for something that is away says when to try again', () => {
  const wait = (key: RefusalKey) => new AppError(key).wait?.seconds
  expect(wait('IDENTITY_UNAVAILABLE')).toBe(5)
  expect(wait('DATABASE_UNAVAILABLE')).toBe(5)
  expect(wait('PDF_UPLOAD_FAILED')).toBe(15)
  expect(wait('TOO_MANY_AT_ONCE')).toBe(60)
  expect(wait('WRITE_UNCLEAR')).toBeUndefined()
  expect(new AppError('SERVER_BUSY', { wait: { seconds: 10 } }).wait).toEqual({ seconds: 10 })
})
