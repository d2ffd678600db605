import { fork } from 'node:child_process'

export interface ManySeeds {
  from: number
  count: number
  contracts: number
  days: number
  tell: (line: string) => void
  /** What simulates one of them, in place of `bench/simulation.ts`. */
  program?: string
}

/** What a process says of its seed at the end. */
export interface SeedReport {
  messages: number
  received: number
  faults: string[]
  /** Changes of a break that no statement had a use for. */
  unused?: string[]
}

const MOST_FAULTS_TOLD = 20

/**
 * The simulation of reminders with one seed after the other, each in a process and a database of its own. Tells a line for
 * each and what was wrong, and at the end how to repeat those that failed, which it returns.
 */
export async function simulateSeeds({ from, count, contracts, days, tell, program }: ManySeeds): Promise<number[]> {
  const size = [String(contracts), String(days)]
  const failed: number[] = []
  let messages = 0
  const begun = performance.now()
  for (let seed = from; seed < from + count; seed += 1) {
    const { report, output, seconds } = await runSeed([String(seed), ...size], program)
    messages += report?.messages ?? 0
    const told = report
      ? `${report.messages} messages, ${report.received} received by mail, ${report.faults.length} faults`
      : 'ended early'
    tell(`seed ${seed}: ${told}, ${seconds} s`)
    if (report?.faults.length === 0) continue
    failed.push(seed)
    tell(report ? report.faults.slice(0, MOST_FAULTS_TOLD).join('\n') : output)
  }
  tell(`${count} seeds of ${contracts} contracts and ${days} days, ${messages} messages, ${secondsSince(begun)} s`)
  tell(failed.length === 0 ? '0 failed' : `${failed.length} failed: ${failed.join(', ')}`)
  for (const seed of failed) tell(`  npm run bench -- simulation ${[seed, ...size].join(' ')}`)
  return failed
}

interface Ended {
  /** None where the process ended before it had one. */
  report: SeedReport | undefined
  output: string
  seconds: number
}

/** Simulates one seed in a process of its own. */
export function runSeed(options: string[], program = 'bench/simulation.ts'): Promise<Ended> {
  const started = performance.now()
  // React renders mail three times as fast without its warnings.
  const env = { ...process.env, NODE_ENV: 'production' }
  const child = fork(program, options, { silent: true, env })
  let report: SeedReport | undefined
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (text: Buffer) => (output += text.toString()))
  child.on('message', (message: SeedReport) => (report = message))
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', () => resolve({ report, output, seconds: secondsSince(started) }))
  })
}

function secondsSince(moment: number): number {
  return Math.round((performance.now() - moment) / 1000)
}
