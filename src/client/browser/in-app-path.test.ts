import { expect, test } from 'vitest'
import { inAppPath } from './in-app-path.ts'

const ORIGIN = 'https://traxx.test'

test.for([['/contracts'], ['/contracts?status=active&sort=amount#row-3'], ['/customers?search=a%2Fb']])(
  '%s stays what it is',
  ([path]) => {
    expect(inAppPath(path, ORIGIN)).toBe(path)
  },
)

test.for([
  ['https://evil.test/'],
  ['//evil.test'],
  ['/\\evil.test'],
  ['/\t/evil.test'],
  ['/a\\..\\evil'],
  ['/\n//evil.test'],
  ['javascript:alert(1)'],
  ['contracts'],
  [''],
  [undefined],
  [7],
])('%j leads nowhere', ([path]) => {
  expect(inAppPath(path, ORIGIN)).toBeUndefined()
})

test('a path with dots is the path that they lead to', () => {
  expect(inAppPath('/a/../contracts', ORIGIN)).toBe('/contracts')
  expect(inAppPath('/..//evil.test', ORIGIN)).toBeUndefined()
})
