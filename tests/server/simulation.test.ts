import pg from 'pg'
import { expect, inject, test } from 'vitest'
import { simulate } from '#support/simulation/simulate.ts'
import { inDatabase, TEMPLATE } from '#support/template.ts'

// Two years over 500 contracts, with any seed, are `node bench/simulation.ts`.
test('through months of edits, outages and kills every message due is sent once, or says why not', async () => {
  const server = inject('testServer')
  const client = new pg.Client(server)
  await client.connect()
  await client.query('drop database if exists simulated with (force)')
  await client.query(`create database simulated template ${TEMPLATE} strategy file_copy`)
  const connection = inDatabase(server, 'simulated')
  const report = await simulate({ connection, seed: 20_270_104, contracts: 30, days: 60 })
  await client.query('drop database simulated with (force)')
  await client.end()
  expect(report.faults).toEqual([])
  // Had nothing happened, nothing would be proved.
  expect(report.received).toBeGreaterThan(50)
  expect(report.edits).toBeGreaterThan(50)
  expect(report.thwarted).toBeGreaterThan(10)
  for (const happened of [report.kills, report.drops, report.jumps]) expect(happened).toBeGreaterThan(0)
}, 180_000)
