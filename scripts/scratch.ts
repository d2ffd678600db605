import { chmodSync, mkdtempSync, statfsSync } from 'node:fs'
import { freemem, tmpdir } from 'node:os'
import { join } from 'node:path'

const IN_MEMORY = '/dev/shm'
const GIGABYTE = 2 ** 30
/** A test run takes about a gigabyte of files, and two of memory for its processes. */
const ROOM = 4 * GIGABYTE

/** A new folder for temporary files: in memory where there is plenty, as a run makes and removes thousands of them. */
export function scratchFolder(): string {
  const folder = mkdtempSync(join(isRoomInMemory() ? IN_MEMORY : tmpdir(), 'traxx-tests-'))
  // Root's PostgreSQL runs as another user, who must be able to enter.
  chmodSync(folder, 0o755)
  return folder
}

function isRoomInMemory(): boolean {
  try {
    const { bavail, bsize } = statfsSync(IN_MEMORY)
    return bavail * bsize > ROOM && freemem() > 2 * ROOM
  } catch {
    return false
  }
}
