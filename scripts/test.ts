import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { ensureBrowser } from './find-browser.ts'
import { run } from './run.ts'
import { scratchFolder } from './scratch.ts'
import { skippedTests } from './skipped-tests.ts'
import { playwrightResults, readRows, unproven, vitestResults, type Result } from './spec-coverage.ts'
import { countPlaywright, countStep, countVitest, type Count } from './test-count.ts'

/**
 * `npm test`: the checks side by side, and if all of them pass, the tests beside the browser journeys. Only the tests
 * write to the console directly; what the others write is shown when they are done. `--quick` leaves out the browser.
 */
const scratch = scratchFolder()
const isQuick = process.argv.includes('--quick')
const VITEST_REPORT = join(scratch, 'vitest.json')
const PLAYWRIGHT_REPORT = join(scratch, 'playwright.json')
/** Each check by itself would take all cores, and longer than all of them side by side. */
const ONE_CORE = { GOMAXPROCS: '1' }

const total: Count = { passed: 0, failed: 0 }
let notRun = 0
/** What is said again at the end, of everything that failed. */
const faults: string[] = []
add(await Promise.all(checks()))
if (total.failed === 0) {
  const tests = vitest()
  add(await Promise.all(isQuick ? [tests] : [tests, journeys(tests)]))
  if (total.failed === 0) add([coverage(), skipped()])
}
if (total.failed > 0) tellFaults()
rmSync(scratch, { recursive: true, force: true })
console.log(`\n${total.passed} passed, ${total.failed} failed, ${notRun} not run`)
process.exitCode = total.failed > 0 ? 1 : 0

function add(counts: Count[]): void {
  for (const { passed, failed } of counts) {
    total.passed += passed
    total.failed += failed
  }
}

function checks(): Promise<Count>[] {
  return [
    check('Formatting', 'oxfmt', '--check', '.'),
    check('Lint', 'oxlint', '--type-aware', '--deny-warnings'),
    // Several checkers would each begin from nothing, and take longer where there are few cores.
    check('Types', 'tsc', '--noEmit', '--checkers', '1'),
    check('Unused code', 'knip'),
    // Before the tests: some of them start the server, which serves the built client.
    check('Build', 'node', 'scripts/build.ts', '--if-stale'),
  ]
}

async function check(title: string, command: string, ...args: string[]): Promise<Count> {
  const output: Buffer[] = []
  const status = await run(command, args, { env: ONE_CORE, write: (text) => output.push(text) })
  announce(title)
  process.stdout.write(Buffer.concat(output))
  if (status !== 0) faults.push(title)
  return countStep(status)
}

async function vitest(): Promise<Count> {
  announce('Unit, service and screen tests, with the browser journeys beside them')
  const report = VITEST_REPORT
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`]
  const status = await run('vitest', ['run', ...reporters], { env: { TMPDIR: scratch } })
  if (status !== 0) faults.push('Unit, service and screen tests')
  return countVitest(report, status)
}

/**
 * What they write is shown when the tests beside them are done with the console: only what failed, so that what the
 * tests before them say of their failures stays near the end of the output.
 */
async function journeys(tests: Promise<Count>): Promise<Count> {
  const report = PLAYWRIGHT_REPORT
  const output: Buffer[] = []
  let status = 1
  try {
    await ensureBrowser()
    status = await run('playwright', ['test', '--reporter=list,json'], {
      env: { PLAYWRIGHT_JSON_OUTPUT_FILE: report, TMPDIR: scratch },
      write: (text) => output.push(text),
    })
    return countPlaywright(report, status)
  } catch (error) {
    output.push(Buffer.from(error instanceof Error ? error.message : String(error)))
    return { passed: 0, failed: 1 }
  } finally {
    if (status !== 0) faults.push('Browser journeys')
    await tests
    announce('Browser journeys')
    console.log(withoutPassed(Buffer.concat(output).toString()))
  }
}

function withoutPassed(text: string): string {
  return text.replaceAll(/^\s*✓.*\n/gm, '').trim()
}

/** Whether what proves the specification has really run, and passed. */
function coverage(): Count {
  announce('Coverage of the specification')
  const named = readRows().flatMap(({ proofs }) => proofs.filter((proof) => proof !== undefined))
  const asked = isQuick ? named.filter(({ file }) => !file.startsWith('tests/e2e/')) : named
  const missing = unproven(asked, results())
  for (const proof of missing) faults.push(`did not pass: ${nameOf(proof)}`)
  return { passed: asked.length - missing.length, failed: missing.length }
}

/** Tells of every test that did not run. One that should have has failed. */
function skipped(): Count {
  const { lines, faults: unexplained } = skippedTests(results())
  notRun = lines.length
  if (notRun > 0) announce('Not run')
  for (const line of lines) console.log(line)
  return { passed: 0, failed: unexplained }
}

/** Each failure in one line, below all that was written of them. */
function tellFaults(): void {
  announce('Failed')
  const failed = results().filter((result) => !result.passed && !result.skipped)
  for (const line of [...faults, ...failed.map(nameOf)]) console.log(line)
}

function nameOf({ file, titles }: { file: string; titles: string[] }): string {
  return `${file}: ${titles.join(' > ')}`
}

/** Of the tests that have run so far. */
function results(): Result[] {
  return [
    ...(existsSync(VITEST_REPORT) ? vitestResults(VITEST_REPORT) : []),
    ...(existsSync(PLAYWRIGHT_REPORT) ? playwrightResults(PLAYWRIGHT_REPORT) : []),
  ]
}

function announce(title: string): void {
  console.log(`\n== ${title}`)
}
