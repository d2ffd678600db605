import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { UNUSED_COLORS } from './unused-colors.ts'

const CLIENT = join(import.meta.dirname, '../src/client')
const NAMES = UNUSED_COLORS.join('|')
const USE = new RegExp(String.raw`['"](${NAMES})(\.\d)?['"]|--mantine-color-(${NAMES})-`)

test('no screen uses a color whose styles are left out', () => {
  const files = globSync('**/*.{ts,tsx,css}', { cwd: CLIENT })
  expect(files.length).toBeGreaterThan(100)
  expect(files.filter((file) => USE.test(readFileSync(join(CLIENT, file), 'utf8')))).toEqual([])
})
