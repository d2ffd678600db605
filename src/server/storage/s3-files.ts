import { randomUUID } from 'node:crypto'
import { open, unlink, writeFile, type FileHandle } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { Disk } from 'flydrive'
import { S3Driver } from 'flydrive/drivers/s3'
import { storeOn, type FileStore } from './file-store.ts'

const CONNECT_MS = 5_000
const IDLE_MS = 30_000

export interface S3Options {
  endpoint: string
  region: string
  bucket: string
  accessKeyId: string
  secretAccessKey: string
}

/** Files in a bucket of Amazon S3, or of a compatible store. */
export function openS3Files({ endpoint, region, bucket, accessKeyId, secretAccessKey }: S3Options): FileStore {
  const driver = new BufferingDriver({
    endpoint,
    region,
    bucket,
    credentials: { accessKeyId, secretAccessKey },
    visibility: 'private',
    supportsACL: false,
    forcePathStyle: true,
    // By default the SDK wraps a stream in checksums, which stores other than Amazon's keep as part of the file.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: { connectionTimeout: CONNECT_MS, socketTimeout: IDLE_MS },
  })
  return storeOn(new Disk(driver))
}

/** S3 wants to know a file's size before its first byte, so a stream waits on this machine's disk until it has ended. */
class BufferingDriver extends S3Driver {
  override async putStream(key: string, contents: Readable): Promise<void> {
    await onDisk(contents, async (file) => {
      const { size } = await file.stat()
      const bytes = file.createReadStream({ start: 0, autoClose: false })
      await super.putStream(key, bytes, { contentLength: size })
    })
  }
}

async function onDisk(contents: Readable, work: (file: FileHandle) => Promise<void>): Promise<void> {
  const path = join(tmpdir(), `traxx-${randomUUID()}`)
  const file = await open(path, 'wx+', 0o600)
  try {
    // Without a name from here on, it is gone with this process, however that ends.
    await unlink(path)
    await writeFile(file, contents)
    await work(file)
  } finally {
    await file.close()
  }
}
