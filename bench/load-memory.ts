import { readFileSync } from 'node:fs'
import type pg from 'pg'

const EVERY_MS = 5000

/** Megabytes of each process. */
export type Memory = Record<string, number>

interface Watched {
  [name: string]: () => Promise<number> | number
}

/** Samples memory every few seconds. Returns what stops it: the mean of each minute. */
export function watchMinutes(watched: Watched): () => Memory[] {
  const minutes: Memory[][] = []
  const began = performance.now()
  const timer = setInterval(() => {
    const minute = Math.floor((performance.now() - began) / 60_000)
    void sample(watched).then((memory) => (minutes[minute] ??= []).push(memory))
  }, EVERY_MS)
  return () => {
    clearInterval(timer)
    return minutes.map(meanOf)
  }
}

/** What all processes of PostgreSQL have, with what they share counted once. On Linux, by those who may look at them. */
export async function postgresMegabytes(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ pid: number }>('select pid from pg_stat_activity')
  return rows.reduce((sum, { pid }) => sum + proportional(pid), 0)
}

function proportional(pid: number): number {
  try {
    return Number(/^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1] ?? 0) / 1024
  } catch {
    // It has ended.
    return 0
  }
}

async function sample(watched: Watched): Promise<Memory> {
  const memory: Memory = {}
  for (const [name, read] of Object.entries(watched)) memory[name] = await read()
  return memory
}

function meanOf(samples: Memory[]): Memory {
  const names = Object.keys(samples[0] ?? {})
  return Object.fromEntries(
    names.map((name) => [name, samples.reduce((sum, each) => sum + (each[name] ?? 0), 0) / samples.length]),
  )
}
