import { expect, test } from 'vitest'
import { UpdateCompany } from './company.ts'

function faultOf(input: object): string | undefined {
  return UpdateCompany.safeParse(input).error?.issues[0]?.message
}

const NO_LINKS = 'Must not contain an email or web address, or two backslashes in a row'
const NO_LINKS_IN_NAME = `${NO_LINKS}. Type a space after a period`

test.each([
  [undefined, undefined],
  ['Mill & Sons', undefined],
  ['  Mill  ', undefined],
  ['', 'Enter your company name'],
  ['\u200b\u2060', 'Enter your company name'],
  ['x'.repeat(101), 'Must be at most 100 characters'],
  ['Mill\r\nBcc: a', 'Must be on one line, without invisible characters'],
  ['M\u200bill', 'Must be on one line, without invisible characters'],
  ['\u202ellaM', 'Must be on one line, without invisible characters'],
  ['a@b.test', NO_LINKS_IN_NAME],
  ['mill.example', NO_LINKS_IN_NAME],
  [String.raw`\\mill\office`, NO_LINKS_IN_NAME],
  ['=?utf-8?q?Bank?=', 'Must not contain "=?"'],
  ['TRAXX Security', 'Must be the name of your own company, not one that looks like TRAXX'],
])('the company name %j: %s', (name, fault) => {
  expect(faultOf({ name })).toBe(fault)
})

test('a postal address has a few lines, and no links', () => {
  const postalAddress = '1 Mill Lane\nBurlington, VT 05401'
  expect(UpdateCompany.parse({ postalAddress })).toEqual({ postalAddress })
  expect(faultOf({ postalAddress: 'a\n'.repeat(7).trim() })).toBe('Must be at most 6 lines')
  expect(faultOf({ postalAddress: 'visit evil.example' })).toBe(NO_LINKS)
  expect(UpdateCompany.parse({ postalAddress: '\u202E' })).toEqual({ postalAddress: null })
})

test('no reply-to address is the own one, and what is none is refused', () => {
  expect(UpdateCompany.parse({ replyTo: ' ' })).toEqual({ replyTo: null })
  expect(UpdateCompany.parse({ replyTo: ' office@mill.test ' })).toEqual({ replyTo: 'office@mill.test' })
  expect(faultOf({ replyTo: 'nobody' })).toBe('Email must be a valid address')
})
