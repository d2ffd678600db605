import { parseArgs } from 'node:util'
import { simulateSeeds } from '#support/simulation/many-seeds.ts'

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
const failed = await simulateSeeds({
  from: wholeNumber('from'),
  count: wholeNumber('seeds'),
  contracts: wholeNumber('contracts'),
  days: wholeNumber('days'),
  tell: console.log,
})
process.exitCode = failed.length > 0 ? 1 : 0

function wholeNumber(name: keyof typeof values): number {
  const number = Number(values[name])
  if (Number.isSafeInteger(number) && number >= 0) return number
  throw new Error(`--${name} takes a whole number, not ${values[name]}`)
}
