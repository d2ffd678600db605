import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { quotesOf, readRows, sourceOf, testIn, unproven, type Proof, type Result } from './spec-coverage.ts'

const ROOT = new URL('../', import.meta.url)

test('every sentence of the table of coverage names a test', () => {
  const rows = readRows()
  expect(rows.length).toBeGreaterThan(100)
  expect(rows.filter(({ sentence, proofs }) => sentence === '' || proofs.includes(undefined))).toEqual([])
})

test('every test that the table of coverage names is there', () => {
  const proofs = readRows().flatMap((row) => row.proofs.filter((proof) => proof !== undefined))
  expect(proofs.filter((proof) => sourceOf(proof) === undefined)).toEqual([])
})

test('every test that the page on security names is there', () => {
  const files = globSync('{scripts,src,standins,tests}/**/*.{test,spec}.{ts,tsx}', { cwd: fileURLToPath(ROOT) })
  const known = files.flatMap((file) => [file, file.replace(/\.test\.tsx?$/, '')].map((path) => `/${path}`))
  const named = namesInLastColumn('docs/security.md', 'tests')
  expect(named.length).toBeGreaterThan(100)
  expect(named.filter((name) => !known.some((path) => path.endsWith(`/${name}`)))).toEqual([])
})

test('every text that a sentence quotes is in one of the tests that it names', () => {
  const unsaid = readRows().flatMap(({ sentence, proofs }) => {
    const sources = proofs.flatMap((proof) => (proof && sourceOf(proof)) ?? [])
    return quotesOf(sentence)
      .filter((quote) => !sources.some((source) => quote.test(source)))
      .map((quote) => ({ sentence, quote }))
  })
  expect(unsaid).toEqual([])
})

describe('in a file', () => {
  test.each([
    ["test('it rains', () => {})", ['it rains'], true],
    ["test.each([1])('day %i', (day) => {})", ['day %i'], true],
    ["test.each([\n  1,\n])(\n  'day %i',\n  (day) => {})", ['day %i'], true],
    ["describe('rain', () => {\n  test('falls', () => {})\n})", ['rain', 'falls'], true],
    ["test('it rains', () => {})", ['it rain'], false],
    ["// it rains\nexpect(text).toBe('it rains')", ['it rains'], false],
    ["test.skip('it rains', () => {})", ['it rains'], false],
    ["test.todo('it rains')", ['it rains'], false],
    ["test.skip.each([1])('day %i', (day) => {})", ['day %i'], false],
    ["describe.skip('rain', () => {\n  test('falls', () => {})\n})", ['rain', 'falls'], false],
    ["test.skip('snows', () => {})\ntest('it rains', () => {})", ['it rains'], true],
    ["test('falls', () => {})\ndescribe('rain', () => {})", ['rain', 'falls'], false],
  ])('%j the test %o is found: %s', (source, titles, found) => {
    expect(testIn(source, titles) !== undefined).toBe(found)
  })
})

describe('the source of a test', () => {
  const FILE = `const RAIN = 'It rains'
const SNOW = 'It snows'
function look() { expect(sky).toBe(RAIN) }

test('on Monday', () => {
  look()
})

test('on Tuesday', () => {
  expect(sky).toBe('It hails')
})
`

  test('has the constants and functions that it uses, and nothing of other tests', () => {
    const monday = testIn(FILE, ['on Monday'])
    expect(monday).toContain('It rains')
    expect(monday).not.toMatch(/snows|hails/)
    expect(testIn(FILE, ['on Tuesday'])).not.toContain('It rains')
  })
})

describe('of a sentence', () => {
  test.each([
    ["Empty: 'No customers' or 'You're all caught up!'", ['No customers', "You\\'re all caught up!"], true],
    ["Text: 'Overdue by N days'.", ["timeLeft('Overdue by 3 days')"], true],
    ["Alert 'Error: {message}'", ['`Error: ${text}`'], true],
    ["today's total and the owner's copy", [], true],
    ["'No customers' or 'No contracts'", ['No customers'], false],
  ])('%j all that it quotes is in %j: %s', (sentence, sources, said) => {
    expect(quotesOf(sentence).every((quote) => sources.some((source) => quote.test(source)))).toBe(said)
  })
})

describe('a test that is named', () => {
  const proof: Proof = { file: 'a.test.ts', titles: ['rain', 'falls on %s'] }
  const result = (last: string, passed = true): Result => ({
    file: 'a.test.ts',
    titles: ['rain', last],
    passed,
    skipped: false,
  })

  test.each([
    ['passes for each of its values', [result('falls on hills'), result('falls on the sea')], true],
    [
      'passes within another group as well',
      [{ ...result('falls on hills'), titles: ['sky', 'rain', 'falls on hills'] }],
      true,
    ],
    ['passes as a property, which says its seed', [result('falls on %s (with seed=-1043)')], true],
    ['fails or is skipped for one of them', [result('falls on hills'), result('falls on the sea', false)], false],
    ['does not run', [result('rises from hills')], false],
    ['is in another group', [{ ...result('falls on hills'), titles: ['snow', 'falls on hills'] }], false],
    ['is in another file', [{ ...result('falls on hills'), file: 'b.test.ts' }], false],
  ])('and %s: proven %s', (_what, results, proven) => {
    expect(unproven([proof], results)).toEqual(proven ? [] : [proof])
  })
})

/** What stands between backticks in the last column of those tables whose last heading is this. */
function namesInLastColumn(page: string, heading: string): string[] {
  const tables = readFileSync(new URL(page, ROOT), 'utf8').split(/\n(?!\|)/)
  const rows = tables.map((table) => table.split('\n').filter((line) => line.startsWith('|')))
  const lastCells = rows.map((lines) => lines.map((line) => line.split('|').at(-2)?.trim() ?? ''))
  return lastCells
    .filter(([first]) => first === heading)
    .flatMap((cells) => cells.flatMap((cell) => [...cell.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name)))
}
