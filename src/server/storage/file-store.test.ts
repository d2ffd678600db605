import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import S3rver from 's3rver'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { isServiceAway } from '#server/outside/circuit.ts'
import { memoryFiles } from '#support/services.ts'
import { all, aPdf, keysIn } from '#support/pdf.ts'
import { bucketCircuit } from './bucket-circuit.ts'
import type { FileStore } from './file-store.ts'
import { openLocalFiles } from './local-files.ts'
import { openS3Files } from './s3-files.ts'

const folder = mkdtempSync(join(tmpdir(), 'traxx-files-'))
const s3 = new S3rver({ port: 0, silent: true, directory: join(folder, 's3'), configureBuckets: [{ name: 'pdfs' }] })
const S3_KEYS = { region: 'us-east-1', bucket: 'pdfs', accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' }
let stores: Record<string, FileStore>

beforeAll(async () => {
  const { port } = await s3.run()
  stores = {
    'this machine': openLocalFiles(join(folder, 'local')),
    'an S3 bucket': openS3Files({ ...S3_KEYS, endpoint: `http://127.0.0.1:${port}` }),
    'the memory of tests': memoryFiles(),
  }
})

afterAll(async () => {
  await s3.close()
  rmSync(folder, { recursive: true })
})

function pieces(bytes: Buffer): Readable {
  return Readable.from(
    Array.from({ length: Math.ceil(bytes.length / 10_000) }, (_, n) => bytes.subarray(n * 10_000, (n + 1) * 10_000)),
  )
}

async function readAll(store: FileStore, key: string, range?: { start: number; end: number }) {
  const file = await store.open(key)
  return buffer(await file.read(range))
}

describe.each(['this machine', 'an S3 bucket', 'the memory of tests'])('files on %s', (name) => {
  const store = () => {
    const found = stores[name]
    if (!found) throw new Error(`There is no store ${name}`)
    return found
  }

  test('are read as they were written, byte by byte', async () => {
    const pdf = aPdf(3_000_000)
    await store().write('contracts/a.pdf', pieces(pdf))
    expect((await store().open('contracts/a.pdf')).size).toBe(pdf.length)
    expect(Buffer.compare(await readAll(store(), 'contracts/a.pdf'), pdf)).toBe(0)
  })

  test.each([
    [0, 0],
    [0, 2_999_999],
    [70_000, 200_000],
    [2_999_999, 2_999_999],
  ])('are read from %i to %i alone where that is asked for', async (start, end) => {
    const pdf = aPdf(3_000_000)
    await store().write('contracts/part.pdf', pieces(pdf))
    const part = await readAll(store(), 'contracts/part.pdf', { start, end })
    expect(Buffer.compare(part, pdf.subarray(start, end + 1))).toBe(0)
  })

  test('have their new name and no longer the old one once they are moved', async () => {
    const pdf = aPdf()
    await store().write('incoming/moved', pieces(pdf))
    await store().move('incoming/moved', 'contracts/moved.pdf')
    expect(await store().exists('incoming/moved')).toBe(false)
    expect(await readAll(store(), 'contracts/moved.pdf')).toEqual(pdf)
  })

  test('are not opened where they are not there', async () => {
    await expect(store().open('contracts/none.pdf')).rejects.toThrow('contracts/none.pdf')
    await expect(store().move('incoming/none', 'contracts/none.pdf')).rejects.toThrow('incoming/none')
    expect(await store().exists('contracts/none.pdf')).toBe(false)
  })

  test('are removed, and to remove what is gone is no failure', async () => {
    await store().write('contracts/gone.pdf', pieces(aPdf()))
    await store().remove('contracts/gone.pdf')
    await store().remove('contracts/gone.pdf')
    expect(await store().exists('contracts/gone.pdf')).toBe(false)
  })

  test('fail with what their stream failed with, and nothing can be opened under their name by then', async () => {
    async function* broken() {
      yield aPdf()
      throw new Error('the line is dead')
    }
    await expect(store().write('incoming/broken', Readable.from(broken()))).rejects.toThrow('the line is dead')
    await store().remove('incoming/broken')
    expect(await keysIn(store(), 'incoming')).toEqual([])
  })

  test('are listed by folder with when they were written, and no folder is an empty list', async () => {
    const before = Date.now() - 2000
    for (const key of ['listed/a/1', 'listed/a/2', 'listed/b/1', 'listed/ab']) await store().write(key, pieces(aPdf()))
    const files = await all(store().list('listed/a'))
    expect(files.map(({ key }) => key).toSorted()).toEqual(['listed/a/1', 'listed/a/2'])
    expect(files.every(({ changedAt }) => changedAt.getTime() > before)).toBe(true)
    expect(await keysIn(store(), 'nowhere')).toEqual([])
  })
})

test('a bucket is listed whole where that takes several answers', async () => {
  // By hand: s3rver cannot go on with a list, for want of a cipher that OpenSSL has dropped.
  const server = createServer((request, response) => response.end(listing(request.url?.includes('page-2') ?? false)))
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const store = openS3Files({
    ...S3_KEYS,
    endpoint: `http://127.0.0.1:${Reflect.get(Object(server.address()), 'port')}`,
  })
  expect(await keysIn(store, 'many')).toEqual(['many/1', 'many/2'])
  server.close()
})

function listing(isLast: boolean): string {
  const next = isLast ? '' : '<NextContinuationToken>page-2</NextContinuationToken>'
  return `<?xml version="1.0"?><ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/">${next}
    <Contents><Key>many/${isLast ? 2 : 1}</Key><LastModified>2026-01-01T00:00:00Z</LastModified><Size>1</Size></Contents>
    <IsTruncated>${!isLast}</IsTruncated></ListBucketResult>`
}

test('a bucket that does not answer is a failure, and soon', async () => {
  const nobody = openS3Files({ ...S3_KEYS, endpoint: 'http://127.0.0.1:9' })
  await expect(nobody.write('incoming/a', pieces(aPdf()))).rejects.toThrow('Cannot write file')
})

/** A bucket that takes connections and never answers. */
async function aSilentBucket() {
  let connections = 0
  const server = createServer(() => {
    connections += 1
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  return {
    endpoint: `http://127.0.0.1:${Reflect.get(Object(server.address()), 'port')}`,
    connections: () => connections,
  }
}

test.each([
  ['read', (store: FileStore) => store.open('contracts/a.pdf')],
  ['looked for', (store: FileStore) => store.exists('contracts/a.pdf')],
  ['written', (store: FileStore) => store.write('incoming/a', pieces(aPdf()))],
  ['moved', (store: FileStore) => store.move('incoming/a', 'contracts/a.pdf')],
  ['removed', (store: FileStore) => store.remove('contracts/a.pdf')],
  ['listed', (store: FileStore) => keysIn(store, 'contracts')],
])('a file in a bucket that never answers is not %s, which is known after one attempt', async (_what, act) => {
  const { endpoint, connections } = await aSilentBucket()
  const store = openS3Files({ ...S3_KEYS, endpoint }, bucketCircuit(30))
  await expect(act(store)).rejects.toSatisfy(isServiceAway)
  // On a slow machine it has not even arrived.
  expect(connections()).toBeLessThan(2)
})

test('a bucket has the longer the more is sent to it', async () => {
  const server = createServer((request, response) => {
    request.resume().on('end', () => setTimeout(() => response.end(), 300))
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => void server.close())
  const endpoint = `http://127.0.0.1:${Reflect.get(Object(server.address()), 'port')}`
  const store = openS3Files({ ...S3_KEYS, endpoint }, bucketCircuit(30))
  await expect(store.write('incoming/a', pieces(aPdf(1_000_000)))).resolves.toBeUndefined()
  await expect(store.write('incoming/b', pieces(aPdf()))).rejects.toSatisfy(isServiceAway)
})

test('a bucket that keeps failing is not asked any more', async () => {
  const { endpoint } = await aSilentBucket()
  const circuit = bucketCircuit(5)
  const store = openS3Files({ ...S3_KEYS, endpoint }, circuit)
  while (!circuit.isOpen()) await store.remove('contracts/a.pdf').catch(() => {})
  const refused = store.write('incoming/a', pieces(aPdf()))
  await expect(refused).rejects.toMatchObject({ cause: { message: expect.stringContaining('bucket is not asked') } })
})
