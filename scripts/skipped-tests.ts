import { isRoot } from '#standins/postgres/server-user.ts'
import type { Result } from './spec-coverage.ts'

interface Exception {
  title: string
  /** Whether this machine can run it, which then must. */
  runsHere: boolean
  /** What it needs. */
  needs: string
}

/** The only tests that may be skipped. */
const EXCEPTIONS: Exception[] = [
  {
    title: 'a workbook for which the kernel gives no memory is too large, and one that takes less is read',
    runsHere: process.platform === 'linux',
    needs: 'Linux, the only system that limits the data of a process',
  },
  {
    title: 'what root starts in a folder that only root may enter lives elsewhere, and is found again',
    runsHere: isRoot(),
    needs: 'root: run npm test as root, as in a container',
  },
]

export interface Skipped {
  /** What is said of each test that did not run. */
  lines: string[]
  /** How many of them had to run. */
  faults: number
}

/** Tells of every test that did not run, and why. One without a reason counts as failed. */
export function skippedTests(results: readonly Result[], exceptions = EXCEPTIONS): Skipped {
  const skipped = results.filter((result) => result.skipped)
  const told = skipped.map(({ file, titles }) => {
    const exception = exceptions.find(({ title, runsHere }) => title === titles.at(-1) && !runsHere)
    return { name: `${file}: ${titles.join(' > ')}`, exception }
  })
  return {
    lines: told.map(({ name, exception }) =>
      exception
        ? `not run: ${name}: it needs ${exception.needs}`
        : `not run: ${name}: let it run, or say in scripts/skipped-tests.ts what it needs`,
    ),
    faults: told.filter(({ exception }) => !exception).length,
  }
}
