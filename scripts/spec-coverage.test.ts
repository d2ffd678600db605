import { existsSync, globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const ROOT = new URL('../', import.meta.url)
const TABLE = 'docs/spec-coverage.md'

interface Proof {
  file: string
  /** The title of the test, after those of the groups that it stands in. */
  titles: string[]
}

test('every sentence of the table of coverage names a test', () => {
  const rows = readRows()
  expect(rows.length).toBeGreaterThan(100)
  expect(rows.filter(({ sentence, proofs }) => sentence === '' || proofs.includes(undefined))).toEqual([])
})

test('every test that the table of coverage names is there', () => {
  const proofs = readRows().flatMap((row) => row.proofs.filter((proof) => proof !== undefined))
  expect(proofs.filter((proof) => !isThere(proof))).toEqual([])
})

test('every test that the page on security names is there', () => {
  const files = globSync('{scripts,src,standins,tests}/**/*.{test,spec}.{ts,tsx}', { cwd: fileURLToPath(ROOT) })
  const known = files.flatMap((file) => [file, file.replace(/\.test\.tsx?$/, '')].map((path) => `/${path}`))
  const named = namesInLastColumn('docs/security.md', 'tests')
  expect(named.length).toBeGreaterThan(100)
  expect(named.filter((name) => !known.some((path) => path.endsWith(`/${name}`)))).toEqual([])
})

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
])('in %j the test %o is found: %s', (source, titles, found) => {
  expect(hasTest(source, titles)).toBe(found)
})

function readRows() {
  const lines = readFileSync(new URL(TABLE, ROOT), 'utf8').split('\n')
  const rows = lines.filter((line) => line.startsWith('| ') && !line.startsWith('| Sentence |'))
  return rows.map((line) => {
    const [, sentence = '', proven = ''] = line.split(/(?<!\\)\|/)
    return { sentence: sentence.trim(), proofs: proven.split('<br>').map(readProof) }
  })
}

/** What stands between backticks in the last column of those tables whose last heading is this. */
function namesInLastColumn(page: string, heading: string): string[] {
  const tables = readFileSync(new URL(page, ROOT), 'utf8').split(/\n(?!\|)/)
  const rows = tables.map((table) => table.split('\n').filter((line) => line.startsWith('|')))
  const lastCells = rows.map((lines) => lines.map((line) => line.split('|').at(-2)?.trim() ?? ''))
  return lastCells
    .filter(([first]) => first === heading)
    .flatMap((cells) => cells.flatMap((cell) => [...cell.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name)))
}

/** `file`: title, or group > title; undefined where it is neither. */
function readProof(written: string): Proof | undefined {
  const [, file, title] = /^`([^`]+)`: (.+)$/.exec(written.trim()) ?? []
  return file && title ? { file, titles: title.replaceAll('\\|', '|').split(' > ') } : undefined
}

function isThere({ file, titles }: Proof): boolean {
  const path = new URL(file, ROOT)
  return existsSync(path) && hasTest(readFileSync(path, 'utf8'), titles)
}

/** Whether the titles follow each other, each as the first of several arguments of a call that is not passed over. */
function hasTest(source: string, titles: string[]): boolean {
  let from = 0
  return titles.every((title) => {
    const places = ["'", '"', '`'].map((quote) => findCall(source, `${quote}${title}${quote}`, from))
    const found = places.filter((index) => index >= 0)
    from = Math.min(...found)
    return found.length > 0
  })
}

function findCall(source: string, quoted: string, from: number): number {
  for (let at = source.indexOf(quoted, from); at >= 0; at = source.indexOf(quoted, at + 1)) {
    const before = source.slice(0, at).trimEnd()
    if (before.endsWith('(') && source.startsWith(',', at + quoted.length) && !isPassedOver(before)) return at
  }
  return -1
}

/** Whether the call that the text ends in does not run what it is given. */
function isPassedOver(before: string): boolean {
  const call = before.match(/^[ ]*(?:test|describe)\b[.\w]*/gm)?.at(-1) ?? ''
  return /\.(?:skip|todo|fixme)\b/.test(call)
}
