import { randomInt } from 'node:crypto'
import pg from 'pg'
import { expect, inject, test } from 'vitest'
import { simulate } from '#support/simulation/simulate.ts'
import { inDatabase, TEMPLATE } from '#support/template.ts'

const [CONTRACTS, DAYS] = [30, 60]

// Two years over 500 contracts, with as many seeds as one likes, are `npm run simulate`.
test('through months of edits, outages and kills every message due is sent once, or says why not', async () => {
  const seed = randomInt(100_000)
  const again = `node bench/simulation.ts ${seed} ${CONTRACTS} ${DAYS}`
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
  // Had nothing happened, nothing would be proved.
  for (const { name, count, least } of [
    { name: 'received', count: report.received, least: 10 },
    { name: 'edits', count: report.edits, least: 20 },
    { name: 'thwarted', count: report.thwarted, least: 1 },
    { name: 'kills', count: report.kills, least: 1 },
    { name: 'drops', count: report.drops, least: 1 },
    { name: 'jumps', count: report.jumps, least: 1 },
    { name: 'digests', count: report.digests, least: 1 },
    { name: 'held', count: report.held, least: 1 },
  ])
    expect(count, `${name}: ${again}`).toBeGreaterThanOrEqual(least)
}, 180_000)
