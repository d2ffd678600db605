import { randomUUID } from 'node:crypto'
import { open, unlink, writeFile, type FileHandle } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { S3Client } from '@aws-sdk/client-s3'
import { Disk } from 'flydrive'
import { S3Driver } from 'flydrive/drivers/s3'
import type { Circuit } from '#server/outside/circuit.ts'
import { bucketCircuit } from './bucket-circuit.ts'
import { storeOn, type FileStore } from './file-store.ts'

const CONNECT_MS = 5_000
/** While a file is read: whoever reads it may pause. */
const IDLE_MS = 30_000
/** Of a body that is sent, which has as much more time. */
const FEWEST_BYTES_PER_SECOND = 65_536
/** The SDK repeats what failed at once, such as on a connection that was dropped, but never what took too long. */
const ATTEMPTS = 2

export interface S3Options {
  endpoint: string
  region: string
  bucket: string
  accessKeyId: string
  secretAccessKey: string
}

/** Files in a bucket of Amazon S3, or of a compatible store. Calls fail where the circuit ends or refuses them. */
export function openS3Files(options: S3Options, circuit = bucketCircuit()): FileStore {
  const { bucket } = options
  const client = guardedClient(options, circuit)
  return storeOn(new Disk(new BufferingDriver({ client, bucket, visibility: 'private', supportsACL: false })))
}

function guardedClient({ endpoint, region, accessKeyId, secretAccessKey }: S3Options, circuit: Circuit): S3Client {
  const client = new S3Client({
    endpoint,
    region,
    credentials: { accessKeyId, secretAccessKey },
    forcePathStyle: true,
    maxAttempts: ATTEMPTS,
    // By default the SDK wraps a stream in checksums, which stores other than Amazon's keep as part of the file.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: { connectionTimeout: CONNECT_MS, socketTimeout: IDLE_MS },
  })
  // Around each attempt: only what repeats them stands before this step.
  client.middlewareStack.add(
    (next) => (args) => {
      const sendingMs = (sizeOf(args.request) / FEWEST_BYTES_PER_SECOND) * 1000
      return circuit.run(() => next(args), { moreMs: sendingMs })
    },
    { step: 'deserialize', priority: 'high', name: 'circuit' },
  )
  return client
}

function sizeOf(request: unknown): number {
  const { headers }: { headers?: Record<string, string> } = Object(request)
  return Number(headers?.['content-length'] ?? 0)
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
