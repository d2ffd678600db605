import { Readable } from 'node:stream'
import type { Disk } from 'flydrive'

/** Stores the bytes of files; keys are random and cannot be guessed. */
export interface FileStore {
  /** The files of a folder, not those of its folders. */
  list(folder: string): AsyncIterable<StoredFile>
  exists(key: string): Promise<boolean>
  /** Rejects where there is no such file. */
  open(key: string): Promise<OpenFile>
  /** Stores the stream, or rejects with its error; then a part may remain under the key. */
  write(key: string, bytes: Readable): Promise<void>
  /** In one step: under its new name a file is whole. */
  move(key: string, newKey: string): Promise<void>
  /** Does nothing where there is no such file. */
  remove(key: string): Promise<void>
}

export interface StoredFile {
  key: string
  changedAt: Date
}

export interface OpenFile {
  size: number
  read(range?: ByteRange): Promise<Readable>
}

/** Positions from 0; both ends belong to it. */
export interface ByteRange {
  start: number
  end: number
}

/** One of flydrive's disks as a FileStore. */
export function storeOn(disk: Disk): FileStore {
  return {
    list: (folder) => list(disk, folder),
    exists: (key) => disk.exists(key),
    open: async (key) => {
      const { contentLength } = await disk.getMetaData(key)
      return {
        size: contentLength,
        read: async (range) => {
          const bytes = await disk.getStream(key)
          return range ? Readable.from(partOf(bytes, range)) : bytes
        },
      }
    },
    write: async (key, bytes) => {
      try {
        await disk.putStream(key, bytes)
      } catch (error) {
        throw bytes.errored ?? error
      }
    },
    move: (key, newKey) => disk.move(key, newKey),
    remove: (key) => disk.delete(key),
  }
}

async function* list(disk: Disk, folder: string): AsyncGenerator<StoredFile> {
  let next: { paginationToken?: string } | undefined = {}
  while (next) {
    const { objects, paginationToken }: Awaited<ReturnType<Disk['listAll']>> = await disk.listAll(folder, next)
    for (const file of objects) {
      if (!file.isFile) continue
      // Somebody may remove a file while the list is read.
      const found = await file.getMetaData().catch(() => undefined)
      if (found) yield { key: file.key, changedAt: found.lastModified }
    }
    next = paginationToken ? { paginationToken } : undefined
  }
}

async function* partOf(bytes: AsyncIterable<Uint8Array>, { start, end }: ByteRange) {
  let position = 0
  for await (const chunk of bytes) {
    const part = chunk.subarray(Math.max(0, start - position), end + 1 - position)
    if (part.length > 0) yield part
    position += chunk.length
    if (position > end) return
  }
}
