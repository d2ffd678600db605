import { existsSync, readFileSync } from 'node:fs'
import * as z from 'zod'

export interface Count {
  passed: number
  failed: number
}

const VitestReport = z.object({ numPassedTests: z.int(), numFailedTests: z.int() })
const PlaywrightReport = z.object({ stats: z.object({ expected: z.int(), flaky: z.int(), unexpected: z.int() }) })

/** A check that counts nothing itself is one test. */
export function countStep(status: number): Count {
  return status === 0 ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 }
}

export function countVitest(report: string, status: number): Count {
  const { numPassedTests, numFailedTests } = read(report, VitestReport) ?? { numPassedTests: 0, numFailedTests: 0 }
  return honest({ passed: numPassedTests, failed: numFailedTests }, status)
}

export function countPlaywright(report: string, status: number): Count {
  const { expected, flaky, unexpected } = read(report, PlaywrightReport)?.stats ?? {
    expected: 0,
    flaky: 0,
    unexpected: 0,
  }
  return honest({ passed: expected + flaky, failed: unexpected }, status)
}

/** A runner that fell over outside a test, or ran none at all, has failed. */
function honest(count: Count, status: number): Count {
  const isSound = status === 0 && count.passed > 0
  return isSound || count.failed > 0 ? count : { ...count, failed: 1 }
}

function read<T>(file: string, shape: z.ZodType<T>): T | undefined {
  return existsSync(file) ? shape.parse(JSON.parse(readFileSync(file, 'utf8'))) : undefined
}
