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

test('where none was built, the source is run', () => {
  expect(readerProgram(SOURCE, folder).at(-1)).toBe(SOURCE)
})

test('where it was built from other sources, the source is run', () => {
  build(sourcesHash([...FILES, 'package.json']))
  expect(readerProgram(SOURCE, folder).at(-1)).toBe(SOURCE)
  expect(isBuilt('/somewhere/read-other.ts', folder)).toBe(false)
})

test('where the built file is gone, the source is run', () => {
  rmSync(build(sourcesHash(FILES)))
  expect(readerProgram(SOURCE, folder).at(-1)).toBe(SOURCE)
})

test('a process that has chosen a program reads its sources no more', () => {
  const built = build(sourcesHash(FILES))
  readerProgram(SOURCE, folder)
  rmSync(join(folder, 'sources.json'))
  expect(readerProgram(SOURCE, folder).at(-1)).toBe(built)
})
