import { existsSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import * as z from 'zod'

/** The table of coverage: sentences of the specification, and the tests that prove them. */
const ROOT = join(import.meta.dirname, '..')
const TABLE = join(ROOT, 'docs/spec-coverage.md')

export interface Proof {
  file: string
  /** The title of the test, after those of the groups that it stands in. */
  titles: string[]
}

interface Row {
  sentence: string
  /** Undefined where the cell names no test. */
  proofs: (Proof | undefined)[]
}

export function readRows(): Row[] {
  const lines = readFileSync(TABLE, 'utf8').split('\n')
  const rows = lines.filter((line) => line.startsWith('| ') && !line.startsWith('| Sentence |'))
  return rows.map((line) => {
    const [, sentence = '', proven = ''] = line.split(/(?<!\\)\|/)
    return { sentence: sentence.trim(), proofs: proven.split('<br>').map(readProof) }
  })
}

/** `file`: title, or group > title; undefined where it is neither. */
function readProof(written: string): Proof | undefined {
  const [, file, title] = /^`([^`]+)`: (.+)$/.exec(written.trim()) ?? []
  return file && title ? { file, titles: title.replaceAll('\\|', '|').split(' > ') } : undefined
}

/** What a sentence quotes, as patterns: its placeholders, such as N and {message}, stand for anything. */
export function quotesOf(sentence: string): RegExp[] {
  const quotes = [...sentence.matchAll(/(?<!\w)'((?:[^']|'(?=\w))+)'(?!\w)/g)].map(([, quote = '']) => quote)
  return quotes.map((quote) => {
    const parts = quote.split(/\{[^}]*\}|\b[NMXYZ]\b|\(n\)/)
    // A test writes an apostrophe as \' where it quotes with the same sign.
    const escaped = parts.map((part) =>
      part.replaceAll(/[.*+?^$()[\]|\\/{}]/g, '\\\\?\\$&').replaceAll("'", "\\\\?['’]"),
    )
    return new RegExp(escaped.join('[^\\n]*?'))
  })
}

/** The source of a test, with the constants and functions of its file that it uses; undefined where it is not there. */
export function sourceOf({ file, titles }: Proof): string | undefined {
  const path = join(ROOT, file)
  return existsSync(path) ? testIn(readFileSync(path, 'utf8'), titles) : undefined
}

/** The same of a file's text. A test that is passed over is not there. */
export function testIn(source: string, titles: string[]): string | undefined {
  let from = 0
  let found: { begin: number; end: number } | undefined
  for (const title of titles) {
    found = findTest(source, title, from)
    if (!found) return undefined
    from = found.begin
  }
  return found && withParts(source, source.slice(found.begin, found.end))
}

const CALL = /^[ ]*(?:test|describe)\b(?!\.(?:step|setTimeout))[.\w]*/gm

/** Where the title is the first of several arguments of a call that is not passed over. */
function findTest(source: string, title: string, from: number): { begin: number; end: number } | undefined {
  const places = ["'", '"', '`'].flatMap((quote) => placesOf(source, `${quote}${title}${quote}`, from))
  const [at] = places.toSorted((one, other) => one - other)
  if (at === undefined) return undefined
  const calls = [...source.matchAll(CALL)].map(({ index }) => index)
  const begin = calls.findLast((call) => call <= at) ?? at
  return { begin, end: calls.find((call) => call > at) ?? source.length }
}

function placesOf(source: string, quoted: string, from: number): number[] {
  const places: number[] = []
  for (let at = source.indexOf(quoted, from); at >= 0; at = source.indexOf(quoted, at + 1)) {
    const before = source.slice(0, at).trimEnd()
    const isTitle = before.endsWith('(') && source.startsWith(',', at + quoted.length)
    if (isTitle && !isPassedOver(before)) places.push(at)
  }
  return places
}

/** Whether the call that the text ends in does not run what it is given. */
function isPassedOver(before: string): boolean {
  return /\.(?:skip|todo|fixme)\b/.test(before.match(CALL)?.at(-1) ?? '')
}

/** A test may say its texts in a constant or a function of the file, which may use another. */
function withParts(source: string, test: string): string {
  const parts = new Map<string, string>()
  const blocks = source.split(/^(?=(?:export )?(?:const|async function|function) )/m)
  for (const block of blocks) {
    const name = /^(?:export )?(?:const|async function|function) \{?\[? ?(\w+)/.exec(block)?.[1]
    if (name) parts.set(name, block.split(/^(?:test|describe|beforeEach|afterEach)\b/m)[0] ?? '')
  }
  let text = test
  for (let grew = true; grew;) {
    grew = false
    for (const [name, part] of parts) {
      if (!new RegExp(`\\b${name}\\b`).test(text)) continue
      text += part
      parts.delete(name)
      grew = true
    }
  }
  return text
}

/** What became of a test. */
export interface Result {
  file: string
  /** Of its groups, and its own. */
  titles: string[]
  passed: boolean
  skipped: boolean
}

const VitestReport = z.object({
  testResults: z.array(
    z.object({
      name: z.string(),
      assertionResults: z.array(
        z.object({ ancestorTitles: z.array(z.string()), title: z.string(), status: z.string() }),
      ),
    }),
  ),
})

export function vitestResults(report: string): Result[] {
  const { testResults } = VitestReport.parse(JSON.parse(readFileSync(report, 'utf8')))
  return testResults.flatMap(({ name, assertionResults }) =>
    assertionResults.map(({ ancestorTitles, title, status }) => ({
      file: relative(ROOT, name),
      titles: [...ancestorTitles, title],
      passed: status === 'passed',
      skipped: status !== 'passed' && status !== 'failed',
    })),
  )
}

const Suite = z.object({
  title: z.string(),
  file: z.string(),
  specs: z.array(z.object({ title: z.string(), file: z.string(), tests: z.array(z.object({ status: z.string() })) })),
  get suites(): z.ZodOptional<z.ZodArray<typeof Suite>> {
    return z.optional(z.array(Suite))
  },
})
const PlaywrightReport = z.object({ suites: z.array(Suite) })

export function playwrightResults(report: string): Result[] {
  const resultsOf = ({ title, file, specs, suites = [] }: z.output<typeof Suite>, groups: string[]): Result[] => {
    const around = title === file ? groups : [...groups, title]
    const own = specs.map(({ title: last, tests }) => ({
      file: join('tests/e2e', file),
      titles: [...around, last],
      // One that has failed at first is not reported as skipped, and would not have come this far.
      passed: tests.length > 0 && tests.every(({ status }) => ['expected', 'flaky'].includes(status)),
      skipped: tests.some(({ status }) => status === 'skipped'),
    }))
    return [...own, ...suites.flatMap((suite) => resultsOf(suite, around))]
  }
  const { suites } = PlaywrightReport.parse(JSON.parse(readFileSync(report, 'utf8')))
  return suites.flatMap((suite) => resultsOf(suite, []))
}

/** The tests that the table names and that have not passed in this run: skipped, failed, or not run at all. */
export function unproven(proofs: Proof[], results: Result[]): Proof[] {
  return proofs.filter((proof) => {
    const ran = results.filter((result) => isOf(result, proof))
    return ran.length === 0 || ran.some(({ passed }) => !passed)
  })
}

function isOf(result: Result, proof: Proof): boolean {
  if (result.file !== proof.file) return false
  const [title = '', ...groups] = result.titles.toReversed()
  const [wanted = '', ...around] = proof.titles.toReversed()
  if (!patternOf(wanted).test(title)) return false
  return around.every((group) => groups.some((one) => patternOf(group).test(one)))
}

const SPECIAL = /[.*+?^${}()|[\]\\]/g

/** The title of a test that runs for each of several values has their places in it; a property's ends in its seed. */
function patternOf(title: string): RegExp {
  const parts = title.split(/%[a-z#$]|\$\{[^}]*\}|\$[\w.]+/)
  return new RegExp(
    `^${parts.map((part) => part.replaceAll(SPECIAL, '\\$&')).join('[^]*')}(?: \\(with seed=-?\\d+\\))?$`,
  )
}
