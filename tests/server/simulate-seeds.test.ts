import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { spawnSync } from 'node:child_process'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { simulateSeeds } from '#support/simulation/many-seeds.ts'

/** Simulates seed 11 without faults, finds one with 12, and ends early with any other. */
const PROGRAM = `
const [seed, contracts, days] = process.argv.slice(2).map(Number)
if (seed === 11) process.send({ messages: contracts, received: days, faults: [] })
else if (seed === 12) process.send({ messages: 1, received: 1, faults: ['message 7: repeated without a reason'] })
else throw new Error('The database is away')`

test('many seeds are told one by one, and those that fail are named with how to repeat them', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'traxx-seeds-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const program = join(folder, 'simulation.mjs')
  await writeFile(program, PROGRAM)
  const told: string[] = []
  const tell = (line: string) => void told.push(line)
  const failed = await simulateSeeds({ from: 11, count: 3, contracts: 40, days: 30, tell, program })
  expect(failed).toEqual([12, 13])
  expect(told).toEqual([
    expect.stringMatching(/^seed 11: 40 messages, 30 received by mail, 0 faults, \d+ s$/),
    expect.stringMatching(/^seed 12: 1 messages, 1 received by mail, 1 faults, \d+ s$/),
    'message 7: repeated without a reason',
    expect.stringMatching(/^seed 13: ended early, \d+ s$/),
    expect.stringContaining('The database is away'),
    expect.stringMatching(/^3 seeds of 40 contracts and 30 days, 41 messages, \d+ s$/),
    '2 failed: 12, 13',
    '  npm run bench -- simulation 12 40 30',
    '  npm run bench -- simulation 13 40 30',
  ])
})

test('the command refuses what is no number of seeds, and says so where none failed', () => {
  const run = (...options: string[]) =>
    spawnSync(process.execPath, ['bench/simulate.ts', ...options], { encoding: 'utf8' })
  expect(run('--seeds', 'many')).toMatchObject({ status: 1, stderr: expect.stringContaining('--seeds takes a whole') })
  expect(run('--seeds', '0')).toMatchObject({ status: 0, stdout: expect.stringContaining('0 failed') })
})
