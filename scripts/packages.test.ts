import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import manifest from '#package' with { type: 'json' }

const ROOT = join(import.meta.dirname, '..')
const { dependencies, devDependencies } = manifest
const installed = Object.keys({ ...dependencies, ...devDependencies })

/** The packages of this scope that the files import, with or without a name. */
function importedFrom(scope: string, pattern: string): string[] {
  const files = globSync(pattern, { cwd: ROOT })
  const specifier = new RegExp(`(?:from|import)\\s*\\(?\\s*['"](${scope}/[^'"]+)['"]`, 'g')
  const found = files.flatMap((file) =>
    [...readFileSync(join(ROOT, file), 'utf8').matchAll(specifier)].map(([, name = '']) => name),
  )
  return [...new Set(found)].toSorted()
}

test("of Clerk's packages the server imports that for Fastify, and the errors which it does not pass on", () => {
  expect(importedFrom('@clerk', 'src/{server,shared}/**/*.ts')).toEqual(['@clerk/backend/errors', '@clerk/fastify'])
})

test('MikroORM comes by its packages, and not by the one that says not to be used', () => {
  expect(installed.filter((name) => name.includes('mikro-orm')).toSorted()).toEqual(
    importedFrom('@mikro-orm', '{src,standins,migrations,tests,scripts}/**/*.ts').filter((name) =>
      installed.includes(name),
    ),
  )
  expect(installed).not.toContain('mikro-orm')
})

test('the license file says what the manifest says: nobody is granted one', () => {
  expect(manifest).toMatchObject({ private: true, license: 'UNLICENSED' })
  const text = readFileSync(join(ROOT, 'LICENSE'), 'utf8')
  expect(text).toMatch(/^Copyright \(c\) \d{4} TRAXX\. All rights reserved\.\n/)
  expect(text).toContain('No license is granted')
})
