import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const ROOT = join(import.meta.dirname, '..')
const FOLDERS = ['src', 'standins', 'migrations', 'tests', 'bench', 'scripts', 'docs', 'deploy']
const FILES = [
  ...FOLDERS.flatMap((folder) => globSync(`${folder}/**/*.*`, { cwd: ROOT })),
  ...globSync('*.*', { cwd: ROOT }),
]
const DOCUMENTS = ['README.md', 'CONTRIBUTING.md', ...globSync('docs/**/*.md', { cwd: ROOT })]

/** `ledger.ts`, `src/server/ledger/ledger.ts`, but no address. */
const FILE = /(?<![\w@:/.<-])[\w$][\w.$/-]*\.(?:tsx?|mjs|html|md)\b/g
const FOLDER = /(?<![\w./-])(?:src|standins|migrations|tests|bench|scripts|docs)\/[\w/-]+(?![\w./-])/g
/** `src/server/NAME/NAMEs.service.ts`, `migrations/00NN-….ts`. */
const PLACEHOLDER = /NAME|THING|NN/

test.each(DOCUMENTS)('every file and folder that %s names exists', (document) => {
  const text = readFileSync(join(ROOT, document), 'utf8')
  expect(missing(text)).toEqual([])
})

test('a file or folder that does not exist is found', () => {
  expect(missing('see `nothing-like-this.ts` and `src/server/nowhere`, not `ledger.ts` or `src/server/db`')).toEqual([
    'nothing-like-this.ts',
    'src/server/nowhere',
  ])
})

function missing(text: string): string[] {
  const named = [...text.matchAll(FILE), ...text.matchAll(FOLDER)].map(([name]) => name)
  return named.filter((name) => !PLACEHOLDER.test(name) && !exists(name))
}

/** `tests/server/stripe-contract` is what a command for the files that begin like this is given. */
function exists(name: string): boolean {
  const begins = [`${name.replace(/\/$/, '')}/`, `${name}-`, `${name}.`]
  return FILES.some(
    (file) => file === name || file.endsWith(`/${name}`) || begins.some((beginning) => file.startsWith(beginning)),
  )
}
