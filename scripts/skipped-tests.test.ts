import { expect, test } from 'vitest'
import { skippedTests } from './skipped-tests.ts'

const result = (title: string, skipped: boolean) => ({
  file: 'a.test.ts',
  titles: ['rain', title],
  passed: !skipped,
  skipped,
})
const falls = (runsHere: boolean) => [{ title: 'falls', runsHere, needs: 'clouds' }]

test('what has run is not told', () => {
  expect(skippedTests([result('falls', false)], falls(false))).toEqual({ lines: [], faults: 0 })
})

test('a test that cannot run here is told with what it needs', () => {
  expect(skippedTests([result('falls', true)], falls(false))).toEqual({
    lines: ['not run: a.test.ts: rain > falls: it needs clouds'],
    faults: 0,
  })
})

test('a test that could have run, or of which no reason is known, has failed', () => {
  const unknown = 'let it run, or say in scripts/skipped-tests.ts what it needs'
  expect(skippedTests([result('falls', true), result('ends', true)], falls(true))).toEqual({
    lines: [`not run: a.test.ts: rain > falls: ${unknown}`, `not run: a.test.ts: rain > ends: ${unknown}`],
    faults: 2,
  })
})
