import { setTimeout as pause } from 'node:timers/promises'
import { OF_THE_DATABASE } from './faults/database.ts'
import { openDisks } from './faults/disks.ts'
import type { Fault } from './faults/fault.ts'
import { OF_THE_SERVER } from './faults/server.ts'
import { openServices } from './faults/services.ts'
import { openStage, type Stage } from './faults/stage.ts'
import { until } from './rehearse/processes.ts'

/**
 * `npm run bench -- faults [NAME...]`: what becomes of clients while something fails, all faults or those that are named.
 * Clients write all the time. For each fault: the writes that were acknowledged, found afterward, and lost; wrong answers;
 * what was answered in place of a success, and what people read then; seconds until writes were acknowledged again. What
 * needs the thing that fails is asked for meanwhile. Fails where a write is lost or doubled, or an answer is wrong. Full
 * disks take root, who may mount them.
 */
const BEFORE_MS = 3000
const AFTER_MS = 3000

const chosen = process.argv.slice(2)
await using stack = new AsyncDisposableStack()
const services = await openServices()
stack.defer(() => services.stop())
await measureAll({ ...OF_THE_DATABASE, ...OF_THE_SERVER, ...services.faults }, services)
const disks = openDisks()
if (disks) {
  stack.defer(() => disks.close())
  await measureAll(disks.faults, disks)
} else console.log('Full disks: this user may not mount small ones')

async function measureAll(all: Record<string, Fault>, options: Parameters<typeof openStage>[0]): Promise<void> {
  const faults = Object.entries(all).filter(([name]) => chosen.length === 0 || chosen.includes(name))
  if (faults.length === 0) return
  const stage = await openStage(options)
  try {
    for (const [name, fault] of faults) await measure(stage, name, fault)
  } finally {
    await stage.stop()
  }
}

async function measure({ load, inDatabase, ...stage }: Stage, name: string, fault: Fault): Promise<void> {
  load.begin()
  await pause(BEFORE_MS)
  const outcome = await fault({ load, inDatabase, ...stage })
  const [mended, acknowledged] = [performance.now(), load.acknowledged()]
  await until('writes are acknowledged again', () => load.acknowledged() > acknowledged)
  const back = (performance.now() - mended) / 1000
  await pause(AFTER_MS)
  const measured = await inDatabase((client) => load.measure(client))
  const { wrong, gapSeconds, slowestSeconds } = measured
  const lost = measured.lost + (outcome.lost ?? 0)
  const doubled = measured.doubled + (outcome.doubled ?? 0)
  console.log(`${name}: ${lost} lost, ${doubled} doubled, ${wrong} wrong answers, back after ${back.toFixed(1)} s`)
  console.log(`  acknowledged ${measured.acknowledged}, found ${measured.found}`)
  console.log(`  longest without a write ${gapSeconds.toFixed(1)} s, slowest answer ${slowestSeconds.toFixed(1)} s`)
  for (const [error, count] of Object.entries(measured.errors)) console.log(`  ${count} × ${error}`)
  for (const sentence of measured.said) console.log(`  "${sentence}"`)
  for (const line of outcome.said ?? []) console.log(`  ${line}`)
  if (lost + doubled + wrong > 0) process.exitCode = 1
  await outcome.clear?.()
}
