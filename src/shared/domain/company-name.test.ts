import { fc, test as property } from '@fast-check/vitest'
import { expect, test } from 'vitest'
import { companyNameFault, plainSenderName, usableCompanyName } from './company-name.ts'

test.each([
  'Mill & Sons',
  "O'Neil, Søn GmbH",
  '株式会社ミル',
  'No. 5 Café',
  'Traxxas Hobby Shop',
  'Café @ Home',
  'A.B. Smith',
  'Mill®',
  'Trax Records',
  'Traxler & Co',
  'Studio 74',
  'SoundTraxx',
  'Extra XXL Shirts',
  'Трактор Сервис',
  'Трахея Клиник',
  'Т-Банк',
  'T-Банк',
  'Ταχυδρομείο Αθηνών',
  'Τραχανάς',
  'Τράπεζα Πειραιώς',
  'Тахометр',
  'Тяжмаш',
  'Гранд Авто',
  'Tシャツ屋さん',
  'TRA会社',
  'TRAX 株式会社',
  '트락스 물류',
  '约翰·史密斯商行',
  'شركة ترا',
  'Տրանս Ավտո',
  'ᏣᎳᎩ ᎠᏰᎵ',
  'ꓡꓲꓢꓴ ꓔꓯꓠ',
  "Col·legi d'Advocats",
  'COL·LEGI OFICIAL',
  'Mill · Sons',
  'Trauðr & Æther',
  'Træløft',
  'TR★ Motors',
  'C++ Trading',
  '🇹🇷 Aksa Export',
  'Studio 🅱',
])('%s may be the name of a company', (name) => {
  expect(companyNameFault(name)).toBeUndefined()
  expect(usableCompanyName(name)).toBe(name)
})

test.each([
  ['demo@traxx.test', 'address'],
  ['Pay at evil.example', 'address'],
  ['https://evil', 'address'],
  ['ceo＠bank．com', 'address'],
  ['=?utf-8?q?First_Bank?=', 'encoded'],
  ['＝？utf-8？q？a？＝', 'encoded'],
  ['Mill\u200bSons', 'invisible'],
  ['\u202eknaB', 'invisible'],
  ['Mill\r\nBcc: a', 'invisible'],
  ['TRAXX', 'ours'],
  ['The Traxx Team', 'ours'],
  ['T R A X X', 'ours'],
  ['ＴＲＡＸＸ', 'ours'],
  ['Tráxx-Support', 'ours'],
  ['TraxxBilling', 'ours'],
  ['TraxxHelp', 'ours'],
  ['The TraxxHelp Desk', 'ours'],
  ['T.R.A.X.X. Help', 'ours'],
  ['TRAXX™', 'ours'],
  ['TRAXX℠ Mill', 'ours'],
  ['TR®AXX', 'ours'],
  ['ⓉⓇⒶⓍⓍ', 'ours'],
  ['TR4XX', 'ours'],
  ['7R4XX Support', 'ours'],
  ['ТRАХХ', 'ours'],
  ['ΤRΑΧΧ', 'ours'],
  ['TRA××', 'ours'],
  ['The TRA XX', 'ours'],
  ['Support by TRA-XX', 'ours'],
  ['Team T-R-A-X-X', 'ours'],
  ['ŧraxx', 'ours'],
  ['ᴛʀᴀxx', 'ours'],
  ['TRΛXX', 'ours'],
  ['TRA✗✗', 'ours'],
  ['TRA⨯⨯', 'ours'],
  ['TRA╳╳ Support', 'ours'],
  ['TRA❌❌', 'ours'],
  ['†RA☓☓', 'ours'],
  ['🆃🆁🅰🆇🆇', 'ours'],
  ['🅣🅡🅐🅧🅧 Billing', 'ours'],
  ['🇹🇷🇦🇽🇽', 'ours'],
  ['ꓔꓣꓮꓫꓫ', 'ours'],
  ['tгахх', 'ours'],
  ['ТГАХХ', 'ours'],
  ['TRAҲҲ', 'ours'],
  ['TRAӾӾ', 'ours'],
  ['TЯAXX', 'ours'],
  ['TR∆XX', 'ours'],
  ['TR▲XX Support', 'ours'],
  ['Ƭraxx', 'ours'],
  ['Ʈraxx', 'ours'],
  ['TɌAXX', 'ours'],
  ['TRΔXX', 'ours'],
  ['TRA𐌗𐌗', 'ours'],
  ['ᎢᎡᎪXX', 'ours'],
  ['ⲦRⲀⲬⲬ', 'ours'],
  ['𐍄R𐌰𐍇𐍇', 'ours'],
  ['ᛏᚱᚨᚷᚷ', 'ours'],
  ['The Ƭ R A X X Team', 'ours'],
  ['evil‧com', 'address'],
  ['evil·com', 'address'],
  ['evil⋅com', 'address'],
  ['mail·traxx', 'address'],
])('%j may not be, for its %s', (name, fault) => {
  expect(companyNameFault(name)).toBe(fault)
})

test.each([
  ['Mill\r\nBcc: a', 'Mill Bcc: a'],
  ['\u202eMill\u200b', 'Mill'],
  ['=?utf-8?q?a?=', '= ?utf-8?q?a?='],
  ['office@mill.test', 'office at mill. test'],
  [null, null],
  ['\u200b\u2060', null],
  ['demo@traxx.test', null],
  ['TRAXX Support', null],
  ['TRAXXTM', null],
])('of the stored name %j there is left %j', (stored, usable) => {
  expect(usableCompanyName(stored)).toBe(usable)
})

const pieces = fc.array(
  fc.constantFrom('=', '?', '＝', '？', '@', '.', '/', ':', 'a', 'com', ' ', '\r', '\n', '\u200b', '\u202e', '\u0000'),
)
property.prop([pieces])('whatever was stored, its sender name has no fault but that it may be ours', (parts) => {
  expect([undefined, 'ours']).toContain(companyNameFault(plainSenderName(parts.join(''))))
})

test('a name of very many words is looked at in time that grows with its length', () => {
  // Each of these letters is four words of Arabic.
  expect(companyNameFault('\uFDFA'.repeat(50_000))).toBeUndefined()
})
