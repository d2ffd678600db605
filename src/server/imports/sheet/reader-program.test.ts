import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { isBuilt, readerProgram, sourcesHash } from './reader-program.ts'

const SOURCE = '/somewhere/read-text.ts'
const FILES = ['src/server/imports/sheet/reader-program.ts']

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'traxx-readers-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

function build(hash: string): string {
  const built = join(folder, 'read-text.mjs')
  writeFileSync(built, '')
  writeFileSync(join(folder, 'sources.json'), JSON.stringify({ 'read-text.mjs': { files: FILES, hash } }))
  return built
}

test('a reader that was built from its sources as they are is run, and may read nothing but itself', () => {
  const built = build(sourcesHash(FILES))
  expect(readerProgram(SOURCE, folder)).toEqual([`--allow-fs-read=${built}`, built])
})

test('where none was built, or from other sources, or its file is gone, the source is run', () => {
  expect(readerProgram(SOURCE, folder).at(-1)).toBe(SOURCE)
  const built = build(sourcesHash([...FILES, 'package.json']))
  expect(readerProgram(SOURCE, folder).at(-1)).toBe(SOURCE)
  expect(isBuilt('/somewhere/read-other.ts', folder)).toBe(false)
  build(sourcesHash(FILES))
  rmSync(built)
  expect(readerProgram(SOURCE, folder).at(-1)).toBe(SOURCE)
})
