import { fork } from 'node:child_process'
import { parseArgs } from 'node:util'

/**
 * `npm run simulate -- [--seeds 60] [--from 1000] [--contracts 500] [--days 730]`: the simulation of reminders with one
 * seed after the other, each in a process and a database of its own, a line for each. Names those that fail, and fails
 * where one does.
 */
const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '60' },
    from: { type: 'string', default: String(Date.now() % 100_000) },
    contracts: { type: 'string', default: '500' },
    days: { type: 'string', default: '730' },
  },
})
const [count, from] = [wholeNumber('seeds'), wholeNumber('from')]
const size = [String(wholeNumber('contracts')), String(wholeNumber('days'))]

const failed: number[] = []
let messages = 0
const begun = performance.now()
for (let seed = from; seed < from + count; seed += 1) {
  const { report, output, seconds } = await run(seed)
  messages += report?.messages ?? 0
  const told = report
    ? `${report.messages} messages, ${report.received} received by mail, ${report.faults.length} faults`
    : 'ended early'
  console.log(`seed ${seed}: ${told}, ${seconds} s`)
  if (report?.faults.length === 0) continue
  failed.push(seed)
  console.log(report ? report.faults.slice(0, 20).join('\n') : output)
}
console.log(`${count} seeds of ${size.join(' contracts and ')} days, ${messages} messages, ${secondsSince(begun)} s`)
console.log(failed.length === 0 ? '0 failed' : `${failed.length} failed: ${failed.join(', ')}`)
for (const seed of failed) console.log(`  npm run bench -- simulation ${[seed, ...size].join(' ')}`)
process.exitCode = failed.length > 0 ? 1 : 0

interface Report {
  messages: number
  received: number
  faults: string[]
}

/** Without a report where the process ended before it had one. */
function run(seed: number): Promise<{ report: Report | undefined; output: string; seconds: number }> {
  const started = performance.now()
  // React renders mail three times as fast without its warnings.
  const env = { ...process.env, NODE_ENV: 'production' }
  const child = fork('bench/simulation.ts', [String(seed), ...size], { silent: true, env })
  let report: Report | undefined
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (text: Buffer) => (output += text.toString()))
  child.on('message', (message: Report) => (report = message))
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', () => resolve({ report, output, seconds: secondsSince(started) }))
  })
}

function wholeNumber(name: keyof typeof values): number {
  const number = Number(values[name])
  if (Number.isSafeInteger(number) && number >= 0) return number
  throw new Error(`--${name} takes a whole number, not ${values[name]}`)
}

function secondsSince(moment: number): number {
  return Math.round((performance.now() - moment) / 1000)
}
