import { execFileSync } from 'node:child_process'
import { closeSync, chmodSync, mkdirSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { until } from '#bench/rehearse/processes.ts'
import { aPdf } from '#support/pdf.ts'
import type { Fault } from './fault.ts'
import type { Stage } from './stage.ts'

const FULL_MS = 20_000
const PIECE = Buffer.alloc(65_536, 1)

/** Small disks in memory for the database, for PDFs and for uploads; undefined for whoever may not mount them. */
export function openDisks() {
  const folder = mkdtempSync(join(tmpdir(), 'traxx-disks-'))
  chmodSync(folder, 0o755)
  const mounted: string[] = []
  const close = () => {
    for (const path of mounted) execFileSync('umount', ['--lazy', path])
    rmSync(folder, { recursive: true })
  }
  const disk = (name: string, megabytes: number, mode: string) => {
    const path = join(folder, name)
    mkdirSync(path)
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=${mode}`, 'tmpfs', path], { stdio: 'ignore' })
    mounted.push(path)
    return path
  }
  try {
    const [database, files, uploads] = [
      disk('database', 400, '755'),
      disk('files', 8, '755'),
      disk('uploads', 8, '1777'),
    ]
    const dataDir = join(database, 'data')
    mkdirSync(dataDir)
    const faults: Record<string, Fault> = {
      'database-disk-full': (stage) => fillDatabase(stage, database),
      'pdf-disk-full': (stage) => fillOther(stage, files, uploadPdf),
      'upload-disk-full': (stage) => fillOther(stage, uploads, importRows),
    }
    return { dataDir, variables: { DATA_DIR: files, TMPDIR: uploads }, faults, close }
  } catch {
    close()
    return undefined
  }
}

async function fillDatabase(stage: Stage, disk: string) {
  const before = stage.load.acknowledged()
  const empty = fill(disk)
  await pause(FULL_MS)
  const during = stage.load.acknowledged() - before
  const said = [`${during} writes found room`, await stage.call('/customers?limit=1', {})]
  empty()
  await until('the database runs', () => stage.inDatabase(async () => true).catch(() => false))
  return { said }
}

async function fillOther(stage: Stage, disk: string, ask: (stage: Stage) => Promise<string>) {
  const empty = fill(disk)
  const said = [`full: ${await ask(stage)}`]
  empty()
  said.push(`with room: ${await ask(stage)}`)
  return { said }
}

/** Returns what makes room again. */
function fill(disk: string): () => void {
  const path = join(disk, 'filler')
  const file = openSync(path, 'w')
  try {
    for (;;) writeSync(file, PIECE)
  } catch {
    closeSync(file)
  }
  return () => rmSync(path)
}

async function uploadPdf({ call, newContract }: Stage): Promise<string> {
  const body = new FormData()
  body.append('pdf', new Blob([aPdf(1_000_000)], { type: 'application/pdf' }), 'contract.pdf')
  return call(`/contracts/${await newContract()}/pdf`, { method: 'POST', body })
}

async function importRows({ call }: Stage): Promise<string> {
  const rows = Array.from({ length: 5000 }, (_, n) => `Imported ${n},${n}@example.com`)
  const body = new FormData()
  body.append('file', new Blob([['name,email', ...rows].join('\n')], { type: 'text/csv' }), 'rows.csv')
  return call('/customers/bulk-upload', { method: 'POST', body })
}
