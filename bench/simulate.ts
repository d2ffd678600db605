import { parseArgs } from 'node:util'
import { BREAKS } from '#support/simulation/breaks.ts'
import { findBreaks } from '#support/simulation/many-breaks.ts'
import { simulateSeeds } from '#support/simulation/many-seeds.ts'

/**
 * `npm run simulate -- [--seeds 60] [--from 1000] [--contracts 500] [--days 730]`: the simulation of reminders with one
 * seed after the other, each in a process and a database of its own, a line for each. Names those that fail, and fails
 * where one does. With `--breaks` the product is broken deliberately, in one way after the other, and it fails where
 * none of the seeds shows that.
 */
const { values } = parseArgs({
  options: {
    seeds: { type: 'string' },
    from: { type: 'string', default: String(Date.now() % 100_000) },
    contracts: { type: 'string' },
    days: { type: 'string' },
    breaks: { type: 'boolean', default: false },
  },
})
const from = wholeNumber('from', values.from)
const failed = values.breaks ? await findAll() : await simulateAll()
process.exitCode = failed > 0 ? 1 : 0

async function simulateAll(): Promise<number> {
  const { seeds = '60', contracts = '500', days = '730' } = values
  const size = { contracts: wholeNumber('contracts', contracts), days: wholeNumber('days', days) }
  const many = { from, count: wholeNumber('seeds', seeds), ...size, tell: console.log }
  return (await simulateSeeds(many)).length
}

async function findAll(): Promise<number> {
  const { seeds = '4', contracts = '40', days = '90' } = values
  const size = { contracts: wholeNumber('contracts', contracts), days: wholeNumber('days', days) }
  const many = { from, count: wholeNumber('seeds', seeds), ...size, tell: console.log }
  return (await findBreaks(BREAKS, many)).length
}

function wholeNumber(name: string, value: string): number {
  const number = Number(value)
  if (Number.isSafeInteger(number) && number >= 0) return number
  throw new Error(`--${name} takes a whole number, not ${value}`)
}
