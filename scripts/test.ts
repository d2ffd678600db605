import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ensureBrowser } from './find-browser.ts'
import { run } from './run.ts'
import { countPlaywright, countStep, countVitest, type Count } from './test-count.ts'

/** `npm test`: everything, in order, until a step fails. `--quick` leaves out the browser. */
const reports = mkdtempSync(join(tmpdir(), 'traxx-reports-'))
const isQuick = process.argv.includes('--quick')

const total: Count = { passed: 0, failed: 0 }
for (const step of isQuick ? quickSteps() : [...quickSteps(), journeys]) {
  const { passed, failed } = await step()
  total.passed += passed
  total.failed += failed
  if (failed > 0) break
}
rmSync(reports, { recursive: true })
console.log(`\n${total.passed} passed, ${total.failed} failed`)
process.exitCode = total.failed > 0 ? 1 : 0

type Step = () => Promise<Count>

function quickSteps(): Step[] {
  return [
    check('Formatting', 'oxfmt', '--check', '.'),
    check('Lint', 'oxlint', '--type-aware', '--deny-warnings'),
    check('Types', 'tsc', '--noEmit'),
    check('Unused code', 'knip'),
    // Before the tests: some of them start the server, which serves the built client.
    check('Build', 'node', 'scripts/build.ts', '--if-stale'),
    vitest,
  ]
}

function check(title: string, command: string, ...args: string[]): Step {
  return async () => {
    announce(title)
    return countStep(await run(command, args))
  }
}

async function vitest(): Promise<Count> {
  announce('Unit, service and screen tests')
  const report = join(reports, 'vitest.json')
  const status = await run('vitest', ['run', '--reporter=default', '--reporter=json', `--outputFile.json=${report}`])
  return countVitest(report, status)
}

async function journeys(): Promise<Count> {
  announce('Browser journeys')
  const report = join(reports, 'playwright.json')
  try {
    const env = { TRAXX_CHROMIUM: await ensureBrowser(), PLAYWRIGHT_JSON_OUTPUT_FILE: report }
    return countPlaywright(report, await run('playwright', ['test', '--reporter=list,json'], env))
  } catch (error) {
    console.error(error instanceof Error ? error.message : error)
    return { passed: 0, failed: 1 }
  }
}

function announce(title: string): void {
  console.log(`\n== ${title}`)
}
