import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { hashInputs, readStamp, stampPath } from './build-stamp.ts'

let root = ''

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'traxx-stamp-'))
  mkdirSync(join(root, 'src/client/ui'), { recursive: true })
  writeFileSync(join(root, 'src/client/ui/button.tsx'), 'red')
})

afterEach(() => rmSync(root, { recursive: true, force: true }))

test('a build is fresh as long as nothing changes that it is made of', () => {
  expect(hashInputs(root)).toBe(hashInputs(root))
})

test('a file that is changed, added or renamed makes the build stale', () => {
  const hashes = [hashInputs(root)]
  writeFileSync(join(root, 'src/client/ui/button.tsx'), 'blue')
  hashes.push(hashInputs(root))
  writeFileSync(join(root, 'package-lock.json'), '{}')
  hashes.push(hashInputs(root))
  rmSync(join(root, 'src/client/ui/button.tsx'))
  writeFileSync(join(root, 'src/client/ui/switch.tsx'), 'blue')
  hashes.push(hashInputs(root))
  expect(new Set(hashes).size).toBe(4)
})

test('tests and the generated route tree do not make the build stale', () => {
  const before = hashInputs(root)
  writeFileSync(join(root, 'src/client/ui/button.test.tsx'), 'red')
  writeFileSync(join(root, 'src/client/routeTree.gen.ts'), '')
  expect(hashInputs(root)).toBe(before)
})

test('a folder without a stamp is no build', () => {
  expect(readStamp(root)).toBeUndefined()
  writeFileSync(stampPath(root), 'hash')
  expect(readStamp(root)).toBe('hash')
})
