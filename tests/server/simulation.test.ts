import { randomInt } from 'node:crypto'
import pg from 'pg'
import { expect, inject, test } from 'vitest'
import { simulate } from '#support/simulation/simulate.ts'
import { inDatabase, TEMPLATE } from '#support/template.ts'

const [CONTRACTS, DAYS] = [30, 60]
const MOST_SEEDS = 5
/** Had less happened, little would be proved: there are months in which no mail goes out. */
const LEAST: Happened[] = [
  { name: 'received', count: 10 },
  { name: 'edits', count: 20 },
  { name: 'obstructed', count: 1 },
  { name: 'kills', count: 1 },
  { name: 'drops', count: 1 },
  { name: 'jumps', count: 1 },
  { name: 'digests', count: 1 },
  { name: 'held', count: 1 },
  { name: 'waited', count: 1 },
  { name: 'byItself', count: 5 },
  { name: 'undone', count: 1 },
  { name: 'confirmed', count: 3 },
  { name: 'changed', count: 3 },
  { name: 'leftOut', count: 1 },
  { name: 'bulkUndone', count: 1 },
  { name: 'restored', count: 1 },
  { name: 'toContacts', count: 1 },
  { name: 'tagged', count: 1 },
  { name: 'reminded', count: 1 },
  { name: 'imported', count: 1 },
  { name: 'importUndone', count: 1 },
  { name: 'muted', count: 1 },
]

interface Happened {
  name:
    | 'received'
    | 'edits'
    | 'obstructed'
    | 'kills'
    | 'drops'
    | 'jumps'
    | 'digests'
    | 'held'
    | 'waited'
    | 'byItself'
    | 'undone'
    | 'confirmed'
    | 'changed'
    | 'leftOut'
    | 'bulkUndone'
    | 'restored'
    | 'toContacts'
    | 'tagged'
    | 'reminded'
    | 'imported'
    | 'importUndone'
    | 'muted'
  count: number
}

// Two years over 500 contracts, with as many seeds as one likes, are `npm run simulate`.
test('through months of edits, outages and kills every message due is sent once, or says why not', async () => {
  let missing = LEAST
  for (let seeds = 0; seeds < MOST_SEEDS && missing.length > 0; seeds += 1) {
    const report = await simulateAnew()
    missing = missing.map(({ name, count }) => ({ name, count: count - report[name] })).filter(({ count }) => count > 0)
  }
  expect(missing).toEqual([])
}, 900_000)

async function simulateAnew() {
  const seed = randomInt(100_000)
  const again = `npm run bench -- simulation ${seed} ${CONTRACTS} ${DAYS}`
  console.log(`The simulation of reminders with a new seed, which is repeated by: ${again}`)
  const server = inject('testServer')
  const client = new pg.Client(server)
  await client.connect()
  await client.query('drop database if exists simulated with (force)')
  await client.query(`create database simulated template ${TEMPLATE} strategy file_copy`)
  const connection = inDatabase(server, 'simulated')
  const report = await simulate({ connection, seed, contracts: CONTRACTS, days: DAYS })
  await client.query('drop database simulated with (force)')
  await client.end()
  expect(report.faults, again).toEqual([])
  return report
}
