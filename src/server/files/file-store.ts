import type { Readable } from 'node:stream'
import { Disk } from 'flydrive'
import { FSDriver } from 'flydrive/drivers/fs'

/** Where the bytes of PDFs are; keys are made by us and cannot be guessed. */
export interface FileStore {
  put(key: string, bytes: Uint8Array): Promise<void>
  open(key: string): Promise<Readable>
  remove(key: string): Promise<void>
}

export function openFileStore(folder: string): FileStore {
  const disk = new Disk(new FSDriver({ location: folder, visibility: 'private' }))
  return {
    put: (key, bytes) => disk.put(key, bytes),
    open: (key) => disk.getStream(key),
    remove: (key) => disk.delete(key),
  }
}
