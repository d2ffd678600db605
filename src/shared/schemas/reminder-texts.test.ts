import { describe, expect, test } from 'vitest'
import { fillText, partsOf } from '#shared/domain/fill-text.ts'
import { DEFAULT_TEXTS, TEXT_KINDS, TEXT_VARIABLES } from '#shared/domain/reminder-text.ts'
import { WriteText } from './reminder-texts.ts'

/** What is said of a text, by field; nothing where it can be saved. */
function refusals(given: { kind?: string; subject?: string; body?: string }): Record<string, string> {
  const { error } = WriteText.safeParse({ kind: 'reminder', subject: 'Hello', body: 'Hello', ...given })
  return Object.fromEntries((error?.issues ?? []).map(({ path, message }) => [path.join('.'), message]))
}

test('the texts that everybody begins with can be saved as they are', () => {
  for (const kind of TEXT_KINDS) expect(WriteText.parse({ kind, ...DEFAULT_TEXTS[kind] })).toMatchObject({ kind })
})

describe('a text', () => {
  test('with a variable that there is not is refused by its name', () => {
    const names = Object.keys(TEXT_VARIABLES.reminder)
      .map((name) => `{{${name}}}`)
      .join(', ')
    expect(refusals({ subject: 'Hello {{custmer}}', body: 'Dear {{ name }}' })).toEqual({
      subject: `{{custmer}} is not a variable here. You can use ${names}`,
      body: `{{name}} is not a variable here. You can use ${names}, {{details}}, {{answerLink}}`,
    })
  })

  test('has the days that are left before the renewal date, and those that have passed after it', () => {
    expect(refusals({ body: '{{daysOverdue}}' })).toMatchObject({
      body: expect.stringContaining('{{daysOverdue}} is not'),
    })
    expect(refusals({ kind: 'follow_up', body: '{{daysOverdue}}' })).toEqual({})
    expect(refusals({ kind: 'follow_up', body: '{{daysLeft}}' })).toMatchObject({ body: expect.any(String) })
  })

  test('can ask for notice where contracts renew automatically, and speaks of no next term where they do not', () => {
    expect(refusals({ kind: 'reminder_automatic', body: '{{notice}} {{noticeDate}} {{newAmount}}' })).toEqual({})
    expect(refusals({ body: '{{notice}}' })).toMatchObject({ body: expect.stringContaining('{{notice}} is not') })
    for (const name of ['notice', 'noticeDate', 'newAmount', 'newCycle']) {
      expect(refusals({ kind: 'reminder_never', body: `{{${name}}}` })).toMatchObject({ body: expect.any(String) })
    }
  })

  test.each([
    ['{{customer', 'A variable is written with two braces on each side, as in {{customer}}'],
    ['customer}}', 'A variable is written with two braces on each side, as in {{customer}}'],
    ['{{a{b}}', 'A variable is written with two braces on each side, as in {{customer}}'],
    ['Hello {customer}', 'A variable is written with two braces on each side: {{customer}}'],
    ['See {{details}}', '{{details}} must be on a line of its own'],
    ['{{}}', '{{}} is not a variable here'],
    ['{{constructor}}', '{{constructor}} is not a variable here'],
  ])('with the body %j is refused with %j', (body, text) => {
    expect(refusals({ body })).toEqual({ body: expect.stringContaining(text) })
  })

  test.each([
    'Hello {friend}',
    '{{ customer }}',
    'a\n {{details}} \nb',
    '{{details}}\n\n{{details}}',
    'function () {}',
  ])('with the body %j can be saved', (body) => {
    expect(refusals({ body })).toEqual({})
  })

  test('has a subject of one line, in which there is no place for the details', () => {
    for (const line of ['a\nBcc: b@c.test', 'a\rb', 'a\u2028b', 'a\u0000b']) {
      expect(refusals({ subject: line })).toEqual({ subject: expect.any(String) })
    }
    expect(refusals({ subject: '{{details}}' })).toMatchObject({
      subject: expect.stringContaining('{{details}} is not'),
    })
  })

  test('is neither blank nor endless', () => {
    expect(refusals({ subject: ' ', body: '\n' })).toEqual({ subject: 'Enter a subject', body: 'Enter a message' })
    expect(refusals({ subject: 'a'.repeat(201), body: 'b'.repeat(5001) })).toEqual({
      subject: 'Must be at most 200 characters',
      body: 'Must be at most 5000 characters',
    })
  })
})

test('a value is put in as it is, on one line, and is never read as a variable', () => {
  const values = { customer: '{{amount}} $& $1', amount: 'no' }
  expect(fillText('{{customer}}, {{ customer }}', values)).toBe('{{amount}} $& $1, {{amount}} $& $1')
  expect(fillText('{{customer}}', { customer: 'a\r\n\u2028b' })).toBe('a b')
})

test('a blank line begins a paragraph, and a block is one wherever its line stands', () => {
  expect(partsOf('Hello,\n\n\n one\ntwo \n{{ details }}\nthree\n{{answerLink}}')).toEqual([
    { text: 'Hello,' },
    { text: 'one\ntwo' },
    { block: 'details' },
    { text: 'three' },
    { block: 'answerLink' },
  ])
  expect(partsOf('{{details}}\n{{details}}')).toEqual([{ block: 'details' }, { block: 'details' }])
})
