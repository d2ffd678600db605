import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { countPlaywright, countStep, countVitest } from './test-count.ts'

let folder: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'traxx-count-'))
})

afterEach(() => rmSync(folder, { recursive: true }))

function report(content: object): string {
  const file = join(folder, 'report.json')
  writeFileSync(file, JSON.stringify(content))
  return file
}

const vitest = (numPassedTests: number, numFailedTests: number) => report({ numPassedTests, numFailedTests })
const playwright = (stats: { expected: number; flaky: number; unexpected: number }) => report({ stats })

test('a check is one test', () => {
  expect(countStep(0)).toEqual({ passed: 1, failed: 0 })
  expect(countStep(2)).toEqual({ passed: 0, failed: 1 })
})

test('the counts are those of the runners', () => {
  expect(countVitest(vitest(5, 2), 1)).toEqual({ passed: 5, failed: 2 })
  expect(countPlaywright(playwright({ expected: 3, flaky: 1, unexpected: 0 }), 0)).toEqual({ passed: 4, failed: 0 })
})

test('a runner that failed outside of its tests has failed', () => {
  expect(countVitest(vitest(5, 0), 1)).toEqual({ passed: 5, failed: 1 })
  expect(countPlaywright(playwright({ expected: 3, flaky: 0, unexpected: 0 }), 1)).toEqual({ passed: 3, failed: 1 })
})

test('a runner that ran no test, or never reported, has failed', () => {
  expect(countVitest(vitest(0, 0), 0)).toEqual({ passed: 0, failed: 1 })
  expect(countPlaywright(join(folder, 'missing.json'), 0)).toEqual({ passed: 0, failed: 1 })
})
