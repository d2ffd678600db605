import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const ROOT = join(import.meta.dirname, '..')
const VERDICTS = ['met', 'met by Clerk', 'operator', 'not applicable', 'not met']

/** The requirements of levels 1 and 2 in OWASP ASVS 5.0.0: the sections of each chapter, with their numbers. */
const REQUIREMENTS: Record<string, string> = {
  V1: '1: 1-2, 2: 1-9, 3: 1-11, 4: 1-3, 5: 1-2',
  V2: '1: 1-3, 2: 1-3, 3: 1-4, 4: 1',
  V3: '2: 1-2, 3: 1-4, 4: 1-6, 5: 1-5, 7: 1-2',
  V4: '1: 1-3, 2: 1, 3: 1-2, 4: 1-4',
  V5: '1: 1, 2: 1-3, 3: 1-2, 4: 1-3',
  V6: '1: 1-3, 2: 1-12, 3: 1-4, 4: 1-4, 5: 1-5, 6: 1-3, 8: 1-4',
  V7: '1: 1-3, 2: 1-4, 3: 1-2, 4: 1-5, 5: 1-2, 6: 1-2',
  V8: '1: 1-2, 2: 1-3, 3: 1, 4: 1',
  V9: '1: 1-3, 2: 1-4',
  V10: '1: 1-2, 2: 1-2, 3: 1-4, 4: 1-11, 5: 1-5, 6: 1-2, 7: 1-3',
  V11: '1: 1-2, 2: 1-3, 3: 1-3, 4: 1-4, 5: 1, 6: 1',
  V12: '1: 1-3, 2: 1-2, 3: 1-4',
  V13: '1: 1, 2: 1-5, 3: 1-2, 4: 1-5',
  V14: '1: 1-2, 2: 1-4, 3: 1-3',
  V15: '1: 1-3, 2: 1-3, 3: 1-7',
  V16: '1: 1, 2: 1-5, 3: 1-4, 4: 1-3, 5: 1-3',
  V17: '1: 1, 2: 1-4, 3: 1-2',
}

const page = readFileSync(join(ROOT, 'docs/asvs.md'), 'utf8')
const cells = page.split('\n').flatMap((line) => (line.startsWith('| ') ? [line.split(' | ')] : []))
const rows = cells.flatMap(([first = '', level, , verdict = '', where = '']) => {
  const [, number] = /^\| (V\d+\.\d+\.\d+)$/.exec(first) ?? []
  return number === undefined ? [] : [{ number, chapter: number.replace(/\..*/, ''), level, verdict, where }]
})

test('every requirement of levels 1 and 2 has one row, in the order of the standard', () => {
  const numbers = Object.entries(REQUIREMENTS).flatMap(([chapter, sections]) => numbersOf(chapter, sections))
  expect(numbers).toHaveLength(253)
  expect(rows.map(({ number }) => number)).toEqual(numbers)
  expect(rows.filter(({ level }) => level === '1')).toHaveLength(70)
  expect(rows.filter(({ level }) => level === '2')).toHaveLength(183)
})

test('every row has a verdict, and says where or why not', () => {
  expect(rows.filter(({ verdict, where }) => !VERDICTS.includes(verdict) || !/\w/.test(where))).toEqual([])
})

test('the table of all chapters counts what the rows say', () => {
  for (const chapter of Object.keys(REQUIREMENTS)) {
    const [told = []] = cells.filter(([name]) => name?.startsWith(`| ${chapter} `))
    const of = rows.filter((row) => row.chapter === chapter)
    const counts = VERDICTS.map((verdict) => of.filter((row) => row.verdict === verdict).length)
    expect([chapter, ...told.slice(1).map((cell) => Number.parseInt(cell, 10))]).toEqual([
      chapter,
      ...counts,
      of.length,
    ])
  }
})

test('every file that a row names is there, and no other could be meant', () => {
  const files = globSync(['{scripts,src,standins,tests,docs,deploy}/**/*.*', 'deploy/*', '*.*', '.*'], { cwd: ROOT })
  const isOne = (name: string) =>
    files.includes(name) || files.filter((file) => `/${file}`.endsWith(`/${name}`)).length === 1
  const named = rows.flatMap(({ where }) => [...where.matchAll(/`([\w./-]*\w\.\w+|deploy\/\w+|\.\w+)`/g)])
  expect(named.length).toBeGreaterThan(200)
  expect(named.filter(([, name = '']) => !isOne(name)).map(([, name]) => name)).toEqual([])
})

test('every row that is met names a file', () => {
  const without = rows.filter(({ verdict, where }) => verdict === 'met' && !where.includes('`'))
  expect(without.map(({ number }) => number)).toEqual([])
})

/** `V1` and `1: 1-2, 5: 1` are V1.1.1, V1.1.2 and V1.5.1. */
function numbersOf(chapter: string, sections: string): string[] {
  return [...sections.matchAll(/(\d+): (\d+)(?:-(\d+))?/g)].flatMap(([, section, first, last = first]) =>
    Array.from({ length: Number(last) - Number(first) + 1 }, (_, at) => `${chapter}.${section}.${Number(first) + at}`),
  )
}
