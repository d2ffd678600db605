import { randomUUID } from 'node:crypto'
import { statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import type { FileStore } from '#server/storage/file-store.ts'
import type { Finding } from './finding.ts'

const LEAST_FREE_BYTES = 2 * 1024 ** 3

/** Writes, reads and removes a file, as an upload would. */
export async function checkFiles(files: FileStore): Promise<Finding[]> {
  // In no folder, which would stay behind.
  const key = `doctor-${randomUUID()}`
  try {
    await files.write(key, Readable.from(['TRAXX']))
    const file = await files.open(key)
    if ((await text(await file.read())) !== 'TRAXX')
      throw new Error('A stored file does not come back as it was written')
  } finally {
    await files.remove(key)
  }
  return [{ check: 'Files', state: 'ok', text: 'A file was stored, read and removed' }]
}

type StatOf = (folder: string) => Promise<{ bavail: number; bsize: number }>

/** Where data is kept and uploads wait. */
export async function checkDisk(folders: readonly string[], statOf: StatOf = statfs): Promise<Finding[]> {
  const findings: Finding[] = []
  for (const folder of [...folders, tmpdir()]) {
    const { bavail, bsize } = await statOf(folder)
    const free = bavail * bsize
    const gigabytes = `${(free / 1024 ** 3).toFixed(1)} GB free in ${folder}`
    findings.push(
      free < LEAST_FREE_BYTES
        ? {
            check: 'Disk',
            state: 'problem',
            text: `Only ${gigabytes}. Make room: uploads and the database stop when it is full`,
          }
        : { check: 'Disk', state: 'ok', text: gigabytes },
    )
  }
  return findings
}
