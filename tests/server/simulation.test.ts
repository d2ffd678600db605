import { randomInt } from 'node:crypto'
import { expect, inject, test } from 'vitest'
import { simulate, type SimulationReport } from '#support/simulation/simulate.ts'
import { TEMPLATE, inDatabase } from '#support/template.ts'
import pg from 'pg'

const [CONTRACTS, DAYS] = [30, 60]
/** A rare event is missing from up to one seed in four, so hardly ever from all of these. */
const MOST_SEEDS = 6
/** Had less happened, little would be proved: there are months in which no mail goes out. */
const LEAST = {
  received: 10,
  edits: 20,
  obstructed: 1,
  kills: 1,
  drops: 1,
  jumps: 1,
  digests: 1,
  held: 1,
  waited: 1,
  byItself: 5,
  overdueEnded: 1,
  ended: 1,
  reopened: 1,
  scheduled: 1,
  repriced: 1,
  undone: 1,
  confirmed: 1,
  changed: 3,
  leftOut: 1,
  bulkUndone: 1,
  restored: 1,
  toContacts: 1,
  tagged: 1,
  reminded: 1,
  imported: 1,
  importUndone: 1,
  muted: 1,
  'answers.renewed': 3,
  'answers.asked': 1,
  'answers.declined': 1,
  'answers.atOnce': 1,
  'answers.left': 1,
  'answers.changed': 1,
  'answers.refused': 3,
  'answers.twice': 1,
  'answers.accepted': 1,
  'answers.turnedDown': 1,
  'answers.told': 3,
  'notices.rules': 1,
  'notices.chosen': 1,
  'notices.periods': 1,
  'notices.windows': 3,
  'notices.emailed': 1,
  'notices.posted': 1,
  'notices.postRefused': 1,
  'notices.lists': 3,
  'notices.missed': 1,
  'notices.warnings': 1,
}

// Two years over 500 contracts, with as many seeds as one likes, are `npm run simulate`.
test('through months of edits, outages and kills every message due is sent once, or says why not', async () => {
  let missing = Object.entries(LEAST)
  for (let seeds = 0; seeds < MOST_SEEDS && missing.length > 0; seeds += 1) {
    const counts = countsOf(await simulateAnew())
    expect([...counts.keys()]).toEqual(expect.arrayContaining(Object.keys(LEAST)))
    missing = missing.flatMap(([name, count]): [string, number][] => {
      const left = count - (counts.get(name) ?? 0)
      return left > 0 ? [[name, left]] : []
    })
  }
  expect(missing, 'what has not happened often enough').toEqual([])
}, 900_000)

/** Of answers and notices with their names before. */
function countsOf({ faults: _faults, answers, notices, ...others }: SimulationReport): Map<string, number> {
  const named = (group: string, counts: object) =>
    Object.entries(counts).map(([name, count]): [string, number] => [`${group}.${name}`, Number(count)])
  return new Map([...Object.entries(others), ...named('answers', answers), ...named('notices', notices)])
}

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
