import { expect, test } from 'vitest'
import { isScopeEnough, KEY_SCOPES } from './api-key.ts'

test('each scope includes itself and those before it', () => {
  const enough = KEY_SCOPES.map((granted) => KEY_SCOPES.filter((needed) => isScopeEnough(granted, needed)))
  expect(enough).toEqual([['read'], ['read', 'write'], ['read', 'write', 'all']])
})
