import { expect, test } from 'vitest'
import { messagesMoved } from './contact-exchange.ts'

/** Contacts by ID, in words: a mailbox, and `off` where it gets no messages. */
function contactsOf(words: Record<number, string>) {
  return Object.entries(words).map(([id, text]) => {
    const [name] = text.split(' ')
    return { id: Number(id), email: name ? `${name}@harbor.test` : null, reminders: !text.endsWith(' off') }
  })
}

test.each<[string, Record<number, string>, string[]]>([
  ['each keeps their own', { 0: 'ada', 5: 'bob' }, ['0 to 5', '5 to 0']],
  ['also one without reminders until then', { 0: 'ada', 5: 'bob off' }, ['0 to 5', '5 to 0']],
  ['also those without an address', { 0: '', 5: '' }, ['0 to 5', '5 to 0']],
  ['those with one mailbox are read by the first of them', { 0: 'ada', 5: 'Ada+work' }, []],
  ['also where one of them got none', { 0: 'ada', 5: 'ada off' }, []],
  [
    'the former first one comes after one with its mailbox, who reads on in its stead',
    { 0: 'ada', 3: 'ADA', 5: 'bob' },
    ['0 to 3', '3 to 5', '5 to 0'],
  ],
  ['but not where that one gets none', { 0: 'ada', 3: 'ada off', 5: 'bob' }, ['0 to 5', '5 to 0']],
  ['or where it is a later one', { 0: 'ada', 5: 'bob', 7: 'ada' }, ['0 to 5', '5 to 0']],
  [
    'the new first one comes before one with its mailbox, who has read until then',
    { 0: 'ada', 3: 'bob', 5: 'bob' },
    ['0 to 5', '3 to 0', '5 to 3'],
  ],
  ['also where the new first one got none', { 0: 'ada', 5: 'bob off', 7: 'bob' }, ['0 to 5', '5 to 7', '7 to 0']],
  ['both at once', { 0: 'ada', 3: 'ada', 4: 'bob', 5: 'bob' }, ['0 to 3', '3 to 5', '4 to 0', '5 to 4']],
  ['a third one with the mailbox of both changes nothing', { 0: 'ada', 3: 'ada', 5: 'ada' }, []],
])('of contacts that exchange their IDs, %s: %j', (_text, words, expected) => {
  const moved = [...messagesMoved(contactsOf(words), 5)].map(([from, to]) => `${from} to ${to}`)
  expect(moved.toSorted()).toEqual(expected)
})
