import { execFile, spawn, type ChildProcess } from 'node:child_process'
import { resolve } from 'node:path'
import type { Readable } from 'node:stream'
import { finished } from 'node:stream/promises'
import { fileURLToPath } from 'node:url'

export interface XlsxProcess {
  child: ChildProcess
  /** What it writes. */
  output: Readable
  /** The beginning of what it says of a fault. */
  complaint: Promise<string>
}

const MOST_COMPLAINT = 4000

/** The kernel holds a process to its data, or we look at its resident memory and kill it. */
export type MemoryLimit = { dataKb: number } | { residentKb: number }

const MOST_HEAP_MB = 512
/**
 * Node begins at 600,000 kB of data; 96 MB of text take 1,200,000, of which half is ever resident. Only Linux holds a
 * process to the data that it may have.
 */
const MEMORY: MemoryLimit = process.platform === 'linux' ? { dataKb: 1_200_000 } : { residentKb: 800_000 }
/** Of the processor, so that a busy machine only takes longer. The largest workbook takes 4. */
const MOST_SECONDS = 20
const LONGEST_MS = 60_000
const LOOK_EVERY_MS = 200

const ROOT = resolve(import.meta.dirname, '../../..')
const PROGRAM = fileURLToPath(new URL('./xlsx-process.ts', import.meta.url))
const OPTIONS = [
  `--max-old-space-size=${MOST_HEAP_MB}`,
  '--disallow-code-generation-from-strings',
  '--permission',
  ...['src/*', 'node_modules/*', 'package.json'].map((path) => `--allow-fs-read=${resolve(ROOT, path)}`),
]

/**
 * Starts the process that reads a workbook. It has the open file and our own code, no environment, and may neither
 * write a file nor start a process. It is killed when it takes too much memory or time, or the signal aborts.
 */
export function startXlsxProcess(file: number, signal: AbortSignal, memory = MEMORY): XlsxProcess {
  const limits = ['ulimit -c 0', `ulimit -t ${MOST_SECONDS}`]
  if ('dataKb' in memory) limits.push(`ulimit -d ${memory.dataKb}`)
  const script = `${limits.join(' && ')} && exec "$0" "$@"`
  const child = spawn('/bin/sh', ['-c', script, process.execPath, ...OPTIONS, PROGRAM], {
    stdio: ['ignore', 'pipe', 'pipe', file],
    env: {},
    cwd: '/',
    signal,
    timeout: LONGEST_MS,
    killSignal: 'SIGKILL',
  })
  // Whoever waits for its end hears of the first failure; a later one must not be an uncaught one.
  child.on('error', () => {})
  if ('residentKb' in memory) watchMemory(child, memory.residentKb)
  const { stdout: output, stderr } = child
  if (!output || !stderr) throw new Error('The reader of workbooks has no output')
  return { child, output, complaint: firstOf(stderr, MOST_COMPLAINT) }
}

/** The first so many characters; the rest is read as well, so that whoever writes it need not wait. */
export async function firstOf(stream: Readable, most: number): Promise<string> {
  let first = ''
  stream.setEncoding('utf8')
  stream.on('data', (text: string) => (first += text.slice(0, most - first.length)))
  await finished(stream).catch(() => {})
  return first
}

function watchMemory(child: ChildProcess, mostKb: number): void {
  const look = () =>
    execFile('ps', ['-o', 'rss=', '-p', String(child.pid)], (_error, resident) => {
      if (Number(resident) > mostKb) child.kill('SIGKILL')
    })
  const timer = setInterval(look, LOOK_EVERY_MS).unref()
  child.once('exit', () => clearInterval(timer))
}
