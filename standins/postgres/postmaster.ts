import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { basename, join } from 'node:path'

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}

export interface Postmaster {
  pid: number
  /** False when the process of that number is some other program's, or gone. */
  running: boolean
  stopping: boolean
}

/** The server that uses this data folder, or the last one that did and was killed. */
export function readPostmaster(data: string): Postmaster | undefined {
  const lines = linesOf(join(data, 'postmaster.pid'))
  if (!lines) return undefined
  const pid = Number(lines[0])
  return { pid, running: isAlive(pid) && commandOf(pid) === 'postgres', stopping: lines[7]?.trim() === 'stopping' }
}

// A server that is just stopping takes its file away at any moment.
function linesOf(file: string): string[] | undefined {
  try {
    return readFileSync(file, 'utf8').split('\n')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
}

function commandOf(pid: number): string {
  try {
    if (process.platform === 'linux') return readFileSync(`/proc/${pid}/comm`, 'utf8').trim()
    return basename(execFileSync('ps', ['-p', String(pid), '-o', 'comm='], { encoding: 'utf8' }).trim())
  } catch {
    return ''
  }
}
