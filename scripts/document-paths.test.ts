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

/** `ledger/planning.ts: add`, `context.ts: asSubscriber<br>who asks`, `write-import.ts: recordImport, recordEnd`. */
const NAMED_IN_FILE = /([\w$][\w.$/-]*\.tsx?): ([a-zA-Z]\w*(?:, [a-zA-Z]\w*)*)(?=<br>|"|`|\))/g

test.each(globSync('docs/paths/*.md', { cwd: ROOT }))('every function that %s names in a file is there', (document) => {
  const text = readFileSync(join(ROOT, document), 'utf8')
  expect(missingNames(text)).toEqual([])
})

test('a function that does not exist is found', () => {
  expect(missingNames('"ledger/planning.ts: add" --> "ledger/planning.ts: noSuchThing<br>why"')).toEqual([
    'ledger/planning.ts: noSuchThing',
  ])
})

function missingNames(text: string): string[] {
  return [...text.matchAll(NAMED_IN_FILE)].flatMap(([, file = '', names = '']) => {
    const sources = FILES.filter((one) => one.endsWith(`/${file}`)).map((one) => readFileSync(join(ROOT, one), 'utf8'))
    const isThere = (name: string) =>
      sources.some((source) => new RegExp(`\\b(?:function\\*?|const|class|interface|type) ${name}\\b`).test(source))
    return names
      .split(', ')
      .filter((name) => !isThere(name))
      .map((name) => `${file}: ${name}`)
  })
}

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
