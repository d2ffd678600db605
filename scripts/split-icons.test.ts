import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { roundNumbers } from './split-icons.ts'

const NUMBER = /\d*\.\d+|\d+/g
const PATH = / d: "([^"]+)"/g

test('a rounded icon is the same to a twentieth of a pixel where it is as large as its square', () => {
  const folder = dirname(createRequire(import.meta.url).resolve('@radix-ui/react-icons'))
  const source = readFileSync(join(folder, 'dist/react-icons.esm.js'), 'utf8')
  const paths = [...source.matchAll(PATH)].map(([, path = '']) => path)
  expect(paths.length).toBeGreaterThan(100)
  for (const path of paths) {
    const [before, after] = [numbersIn(path), numbersIn(roundNumbers(path))]
    expect(after).toHaveLength(before.length)
    for (const [at, value] of before.entries()) expect(Math.abs((after[at] ?? 0) - value), path).toBeLessThan(0.051)
  }
})

function numbersIn(path: string): number[] {
  return [...path.matchAll(NUMBER)].map(([number]) => Number(number))
}
