import { fc, test as property } from '@fast-check/vitest'
import { describe, expect, test } from 'vitest'
import {
  domainOf,
  hasInvisible,
  hasLink,
  isVisible,
  withoutDirectionMarks,
  withoutInvisible,
  withoutLinks,
} from './plain-text.ts'

describe('what can be seen', () => {
  test.each([
    ['zero-width space', '\u200b'],
    ['direction', '\u202e'],
    ['a filler', '\u3164'],
    ['Braille', '\u2800'],
    ['blank', ' \t'],
  ])('%s is nothing', (_what, text) => expect(isVisible(text.repeat(3))).toBe(false))

  test.each(['a', '0', '世', '🙂', '\u200ba', "O'Neil & Søn"])('%s is something', (text) => {
    expect(isVisible(text)).toBe(true)
  })

  test('characters that cannot be seen are found, and taken out', () => {
    expect(['a\u200bb', 'a\u202eb', 'a\u0000b', 'a\nb', 'ab'].map(hasInvisible)).toEqual([
      true,
      true,
      true,
      true,
      false,
    ])
    expect(withoutInvisible(' a\u200b\u202eb\r\nc\u0000 ')).toBe('ab c')
  })
})

describe('links', () => {
  test.each([
    ['https://evil.example/x', 'https: evil. example/x'],
    ['see www.evil.example now', 'see www. evil. example now'],
    ['evil.com', 'evil. com'],
    ['t.co/abc', 't. co/abc'],
    ['office@mill.test', 'office@mill. test'],
    ['http://10.0.0.1/x', 'http: 10.0.0.1/x'],
    [String.raw`\\server\share`, String.raw`\ server\share`],
    [String.raw`＼＼server＼share`, String.raw`\ server\share`],
    [String.raw`file:\\203.0.113.5\a`, String.raw`file:\ 203.0.113.5\a`],
    ['ｅｖｉｌ．ｃｏｍ', 'evil. com'],
    ['evil。com', 'evil. com'],
    ['evil。рф', 'evil. рф'],
    ['WWW.203.0.113.5/x', 'WWW. 203.0.113.5/x'],
    ['e\u200bvil.\u200bcom', 'evil. com'],
    ['xn--80ak6aa92e.com', 'xn--80ak6aa92e. com'],
    ['пример.рф', 'пример. рф'],
    ['उदाहरण.भारत', 'उदाहरण. भारत'],
    ['💩.la', '💩. la'],
    ['i❤.ws', 'i❤. ws'],
    ['i❤\ufe0f.ws', 'i❤. ws'],
    ['👍🏽.ws', '👍🏽. ws'],
    ['1\ufe0f\u20e3.ws', '1\u20e3. ws'],
    ['↔.ws', '↔. ws'],
  ])('%s is one, and is not any more', (text, plain) => {
    expect(hasLink(text)).toBe(true)
    expect(withoutLinks(text)).toBe(plain)
  })

  test.each([
    'It costs $1,200.00.',
    'At 8 a.m. on Dec. 3',
    'U.S.A',
    'Hello,\n\nthank you. Bye',
    '你好。谢谢',
    '好的。ㄏㄏ',
    'はい。ー',
    'It is at www. Then',
    'Dr. No',
    String.raw`either\or`,
    'We ❤ you ❤. Bye',
  ])('%s is none, and stays as it is', (text) => {
    expect(hasLink(text)).toBe(false)
    expect(withoutLinks(text)).toBe(text)
  })

  test.each([
    ['Booking.com', 'Booking.com'],
    ['Hello Booking.com, (booking.com).', 'Hello Booking.com, (booking.com).'],
    ['booking.com/x', 'booking. com/x'],
    ['https://booking.com', 'https: booking. com'],
    ['pay.booking.com', 'pay. booking. com'],
    ['booking.com.evil.example', 'booking. com. evil. example'],
    ['a@booking.com', 'a@booking. com'],
    ['bookingxcom.evil.example', 'bookingxcom. evil. example'],
    ["evil.com'booking.com", "evil. com'booking. com"],
  ])('of %j a reader at booking.com reads %j', (text, plain) => {
    expect(withoutLinks(text, domainOf('ann@booking.com'))).toBe(plain)
  })

  test.each([null, undefined, '', 'ann', 'ann@localhost', 'ann@(x|y).com'])('%j has no domain', (address) => {
    expect(domainOf(address)).toBeUndefined()
  })

  const pieces = fc.array(
    fc.constantFrom(
      'http',
      ':',
      '/',
      '//',
      '\\',
      '.',
      'a',
      'com',
      '@',
      '❤',
      '\u200b',
      '．',
      '。',
      ' ',
      '\n',
      'www',
      '1',
      'я',
    ),
  )
  property.prop([pieces])('nothing becomes a link once it has been taken out', (parts) => {
    expect(hasLink(withoutLinks(parts.join('')))).toBe(false)
  })

  const around = fc.array(
    fc.constantFrom('a.com', 'A.com', '.', 'b', 'com', '/', ':', '@', ',', ')', "'", ' ', '\u200b'),
  )
  property.prop([around])('nor any but the domain of its reader, as a word of its own', (parts) => {
    const words = withoutLinks(parts.join(''), 'a.com').split(/\s+/)
    for (const word of words.filter(hasLink))
      expect(word.replaceAll(/^[']+|[.,:)']+$/g, '').toLowerCase()).toBe('a.com')
  })
})

test.each([
  ['Ab\u202Edc', 'Abdc'],
  ['\u2067Mill\u200B', 'Mill'],
  ['می\u200Cخواهم', 'می\u200Cخواهم'],
  ['👩\u200D💻 ❤\uFE0F', '👩\u200D💻 ❤\uFE0F'],
])('%j is without direction marks %j', (text, plain) => expect(withoutDirectionMarks(text)).toBe(plain))
