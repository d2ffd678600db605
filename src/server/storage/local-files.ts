import { mkdir, open, rename, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Readable } from 'node:stream'
import { Disk } from 'flydrive'
import { FSDriver } from 'flydrive/drivers/fs'
import { storeOn, type FileStore } from './file-store.ts'

/** Files in a folder of this machine. */
export function openLocalFiles(folder: string): FileStore {
  return storeOn(new Disk(new LocalDriver(folder)))
}

/** flydrive's driver copies where it says move, and reports a stream's failure before the file is closed. */
class LocalDriver extends FSDriver {
  readonly #folder: string

  constructor(folder: string) {
    super({ location: folder, visibility: 'private' })
    this.#folder = folder
  }

  override async putStream(key: string, contents: Readable): Promise<void> {
    const path = await this.#makeRoom(key)
    await writeFile(path, contents, { flush: true, mode: 0o600 })
  }

  override async move(source: string, destination: string): Promise<void> {
    const path = await this.#makeRoom(destination)
    await rename(join(this.#folder, source), path)
    await flushFolder(dirname(path))
  }

  async #makeRoom(key: string): Promise<string> {
    const path = join(this.#folder, key)
    await mkdir(dirname(path), { recursive: true, mode: 0o700 })
    return path
  }
}

// Without it a power cut may take the new name back after the contract's row has been committed.
async function flushFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return
  const handle = await open(folder)
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
