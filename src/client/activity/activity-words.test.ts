import { expect, test } from 'vitest'
import { actorText } from './activity-words.ts'

test.each([
  [null, ''],
  [{ kind: 'person', name: 'Ann Lee' }, 'Ann Lee'],
  [{ kind: 'person', name: null }, 'Somebody with this account'],
  [{ kind: 'key', name: 'Billing' }, 'API key Billing'],
  [{ kind: 'key', name: null }, 'An API key'],
  [{ kind: 'import', name: 'a.csv' }, 'Import of a.csv'],
  [{ kind: 'customer', name: 'Harbor' }, 'Harbor, by a link in an email'],
  [{ kind: 'operator', name: null }, 'TRAXX support'],
  [{ kind: 'traxx', name: null }, 'Automatically'],
] as const)('%o reads as %s', (by, text) => {
  expect(actorText(by)).toBe(text)
})
