import { buffer } from 'node:stream/consumers'
import { Readable } from 'node:stream'
import { describe, expect, test } from 'vitest'
import sql from 'sql-template-tag'
import { z } from 'zod'
import type { RequestContext } from '#server/context.ts'
import { removeContract } from '#server/contracts/contracts.service.ts'
import { aPdf, keysIn } from '#support/pdf.ts'
import { removeContractForGood } from '#server/trash/trash.service.ts'
import { memoryFiles } from '#support/services.ts'
import { aContract, aCustomer, anAccount, asSubscriber, requestOf, requireReader, useWorld } from '#support/world.ts'
import type { FileStore } from '#server/storage/file-store.ts'
import { attachPdf, openPdf, readInstallation, removePdf, restorePdf } from './files.service.ts'
import { newPdfKey } from './store-pdf.ts'
import { removeKeptPdfs } from './kept-pdfs.ts'
import { sweepFiles } from './sweep-files.ts'

const world = useWorld()
const HOUR = 3_600_000

/** A contract of an account whose files are its own, and what is stored of them. */
async function aContractWithFiles(customerName = 'Acme Ltd') {
  const files = memoryFiles()
  const request = await anAccount(world, { services: { files, now: () => new Date() } })
  const { id: customerId } = await aCustomer(request, { name: customerName })
  const { id } = await aContract(request, { customerId })
  return { request, files, id, customerId }
}

function attach(request: RequestContext, id: number, pdf = aPdf()) {
  return attachPdf(request, { id }, Readable.from([pdf]))
}

async function attached(request: RequestContext, id: number): Promise<Buffer> {
  const pdf = await openPdf(requireReader(request), { id })
  return buffer(await pdf.read())
}

async function stored(files: FileStore) {
  const installation = await readInstallation(world.db.system)
  return keysIn(files, `contracts/${installation}`, `incoming/${installation}`)
}

async function pathOf(request: RequestContext, id: number): Promise<string | null> {
  const { read } = requireReader(request)
  const Row = z.object({ path: z.string().nullable() })
  const [row] = await read(sql`select pdf_path as path from contracts where id = ${id}`, Row)
  return row?.path ?? null
}

/** The jobs that remove files, as they run some hours from now. */
async function sweep({ log, services }: RequestContext, { hours = 2, files = services.files } = {}) {
  const now = () => new Date(Date.now() + hours * HOUR)
  const { signal } = new AbortController()
  const job = { db: world.db, log, services: { ...services, files, now }, signal }
  await removeKeptPdfs(job)
  await sweepFiles(job)
}

describe('a PDF', () => {
  test('is attached to a contract, read and deleted', async () => {
    const { request, files, id } = await aContractWithFiles('Café & Söhne')
    const pdf = aPdf()
    expect(await attach(request, id, pdf)).toEqual({ pdfPath: `/contracts/${id}/pdf` })
    expect(await openPdf(requireReader(request), { id })).toMatchObject({
      size: pdf.length,
      fileName: `Café & Söhne contract ${id}.pdf`,
    })
    expect(await attached(request, id)).toEqual(pdf)
    await asSubscriber(request, (ctx) => removePdf(ctx, { id }))
    await sweep(request)
    expect(await stored(files)).toEqual([])
    await expect(openPdf(requireReader(request), { id })).rejects.toMatchObject({ key: 'PDF_NOT_FOUND' })
  })

  test('lies under a name that nobody can guess, and that tells whose database it belongs to', async () => {
    const { request, files, id } = await aContractWithFiles()
    await attach(request, id)
    const installation = await readInstallation(world.db.system)
    expect(await stored(files)).toEqual([
      expect.stringMatching(new RegExp(`^contracts/${installation}/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\\.pdf$`)),
    ])
  })

  test('takes the place of an earlier one, whose file is gone an hour later', async () => {
    const { request, files, id } = await aContractWithFiles()
    await attach(request, id)
    const second = aPdf()
    await attach(request, id, second)
    expect(await attached(request, id)).toEqual(second)
    await sweep(request)
    expect(await stored(files)).toEqual([await pathOf(request, id)])
  })

  test('is one of several that come at once, and of the others nothing stays', async () => {
    const { request, files, id } = await aContractWithFiles()
    const pdfs = [aPdf(), aPdf(), aPdf(), aPdf()]
    await Promise.all(pdfs.map((pdf) => attach(request, id, pdf)))
    expect(pdfs).toContainEqual(await attached(request, id))
    await sweep(request)
    expect(await stored(files)).toEqual([await pathOf(request, id)])
  })

  test('that is refused leaves the earlier one, and nothing of its own', async () => {
    const { request, files, id } = await aContractWithFiles()
    const first = aPdf()
    await attach(request, id, first)
    await expect(attach(request, id, aPdf().subarray(0, 2000))).rejects.toMatchObject({ key: 'PDF_INCOMPLETE' })
    expect(await attached(request, id)).toEqual(first)
    expect(await stored(files)).toHaveLength(1)
  })

  test('stays with its contract in the trash, and goes with it', async () => {
    const { request, files, id } = await aContractWithFiles()
    await attach(request, id)
    await asSubscriber(request, (ctx) => removeContract(ctx, { id }))
    expect(await stored(files)).toHaveLength(1)
    await asSubscriber(request, (ctx) => removeContractForGood(ctx, { id }))
    expect(await stored(files)).toEqual([])
  })

  test('stays where deleting its contract is rolled back', async () => {
    const { request, id } = await aContractWithFiles()
    const pdf = aPdf()
    await attach(request, id, pdf)
    const undone = asSubscriber(request, async (ctx) => {
      await removeContract(ctx, { id })
      throw new Error('something else went wrong')
    })
    await expect(undone).rejects.toThrow('something else')
    expect(await attached(request, id)).toEqual(pdf)
  })

  test('of a contract that was deleted while it came is not found a place, and gone at once', async () => {
    const { request, files, id } = await aContractWithFiles()
    async function* slow() {
      yield aPdf()
      await asSubscriber(request, (ctx) => removeContract(ctx, { id }))
    }
    await expect(attachPdf(request, { id }, slow())).rejects.toMatchObject({ key: 'CONTRACT_NOT_FOUND' })
    expect(await stored(files)).toEqual([])
  })

  test('is found where it is now, also when it is replaced twice while somebody opens it', async () => {
    const { request, files, id } = await aContractWithFiles()
    await attach(request, id)
    const second = aPdf()
    let opened = 0
    const open: FileStore['open'] = async (key) => {
      opened += 1
      // The earlier one is kept until the next.
      if (opened === 1) for (const pdf of [aPdf(), second]) await attach(request, id, pdf)
      return files.open(key)
    }
    const slow = { ...request, services: { ...request.services, files: { ...files, open } } }
    expect(await attached(slow, id)).toEqual(second)
  })

  test('whose storage fails is "Failed to upload PDF", or "Failed to load PDF"', async () => {
    const { request, files, id } = await aContractWithFiles()
    await attach(request, id)
    const fail = () => Promise.reject(new Error('the disk is full'))
    const broken = { ...request, services: { ...request.services, files: { ...files, write: fail, open: fail } } }
    await expect(attach(broken, id)).rejects.toThrow('Failed to upload PDF')
    await expect(openPdf(requireReader(broken), { id })).rejects.toThrow('Failed to load PDF')
  })
})

describe('for an hour', () => {
  const restore = (request: RequestContext, id: number) => asSubscriber(request, (ctx) => restorePdf(ctx, { id }))
  const NOT_KEPT = { key: 'PDF_NOT_KEPT' }

  /** The same account so many minutes from now. */
  const later = (request: RequestContext, minutes: number) => {
    const now = () => new Date(Date.now() + minutes * 60_000)
    return { ...request, services: { ...request.services, now } }
  }

  test('a deleted PDF can be restored, once', async () => {
    const { request, files, id } = await aContractWithFiles()
    const pdf = aPdf()
    await attach(request, id, pdf)
    await asSubscriber(request, (ctx) => removePdf(ctx, { id }))
    await sweep(request, { hours: 0.9 })
    expect(await restore(request, id)).toEqual({ pdfPath: `/contracts/${id}/pdf` })
    expect(await attached(request, id)).toEqual(pdf)
    await expect(restore(request, id)).rejects.toMatchObject(NOT_KEPT)
    await sweep(request)
    expect(await stored(files)).toEqual([await pathOf(request, id)])
  })

  test('a replaced PDF takes back its place, and the one that had it is gone', async () => {
    const { request, files, id } = await aContractWithFiles()
    const [first, second, third] = [aPdf(), aPdf(), aPdf()]
    for (const pdf of [first, second, third]) await attach(request, id, pdf)
    expect(await stored(files), 'the latest and the one before').toHaveLength(2)
    await restore(request, id)
    expect(await attached(request, id)).toEqual(second)
    expect(await stored(files)).toEqual([await pathOf(request, id)])
  })

  test('and no longer', async () => {
    const { request, files, id } = await aContractWithFiles()
    await attach(request, id)
    await asSubscriber(request, (ctx) => removePdf(ctx, { id }))
    await expect(restore(later(request, 61), id)).rejects.toMatchObject(NOT_KEPT)
    await sweep(request)
    expect(await stored(files)).toEqual([])
    await expect(restore(request, id)).rejects.toMatchObject(NOT_KEPT)
  })

  test('it does not count for the quota, but a restored one does', async () => {
    const { request, id, customerId } = await aContractWithFiles()
    const other = await aContract(request, { customerId })
    const { storage } = request.services
    const services = { ...request.services, storage: { ...storage, quotas: { ...storage.quotas, pdfs: 1 } } }
    const small = { ...request, services }
    await attach(small, id)
    await asSubscriber(small, (ctx) => removePdf(ctx, { id }))
    await attach(small, other.id)
    await expect(restore(small, id)).rejects.toMatchObject({ key: 'PDFS_FULL' })
    await asSubscriber(small, (ctx) => removePdf(ctx, other))
    await restore(small, id)
    expect(await attached(small, id)).toHaveLength(4096)
  })

  test('an account has 100 at most, the latest', async () => {
    const { request, files, id, customerId } = await aContractWithFiles()
    await attach(request, id)
    const [oldest] = await stored(files)
    await asSubscriber(request, (ctx) => removePdf(ctx, { id }))
    for (let n = 0; n < 100; n += 1) {
      const other = await aContract(request, { customerId })
      await attach(request, other.id)
      await asSubscriber(request, (ctx) => removePdf(ctx, other))
    }
    expect(await stored(files)).toHaveLength(100)
    expect(await stored(files)).not.toContain(oldest)
    await expect(restore(request, id)).rejects.toMatchObject(NOT_KEPT)
  })

  test('it goes with its contract', async () => {
    const { request, files, id } = await aContractWithFiles()
    await attach(request, id)
    await asSubscriber(request, (ctx) => removePdf(ctx, { id }))
    await asSubscriber(request, (ctx) => removeContract(ctx, { id }))
    await expect(restore(request, id)).rejects.toMatchObject({ key: 'CONTRACT_NOT_FOUND' })
    await asSubscriber(request, (ctx) => removeContractForGood(ctx, { id }))
    await sweep(request)
    expect(await stored(files)).toEqual([])
  })
})

test('of an account four are taken at once, and others may come when one has ended', async () => {
  const { request, files, id } = await aContractWithFiles()
  const other = await anAccount(world, { services: { files } })
  const { id: theirs } = await aContract(other, { customerId: (await aCustomer(other)).id })
  const { promise: free, resolve: release } = Promise.withResolvers<void>()
  let begun = 0
  async function* slow() {
    begun += 1
    await free
    yield aPdf()
  }
  const held = Array.from({ length: 4 }, () => attachPdf(request, { id }, slow()))
  await expect.poll(() => begun).toBe(4)
  await expect(attach(request, id)).rejects.toMatchObject({ key: 'TOO_MANY_AT_ONCE' })
  await attach(other, theirs)
  release()
  await Promise.all(held)
  await attach(request, id)
  await sweep(request)
  expect(await stored(files)).toHaveLength(2)
})

test("another account gets 'Contract not found', and no byte of it is taken", async () => {
  const { request, files, id } = await aContractWithFiles()
  const pdf = aPdf()
  await attach(request, id, pdf)
  const other = await anAccount(world, { services: { files } })
  const notFound = { key: 'CONTRACT_NOT_FOUND' }
  async function* unread() {
    expect.unreachable('nobody may ask for these bytes')
    yield pdf
  }
  await expect(openPdf(requireReader(other), { id })).rejects.toMatchObject(notFound)
  await expect(attachPdf(other, { id }, unread())).rejects.toMatchObject(notFound)
  await expect(asSubscriber(other, (ctx) => removePdf(ctx, { id }))).rejects.toMatchObject(notFound)
  await expect(asSubscriber(other, (ctx) => restorePdf(ctx, { id }))).rejects.toMatchObject(notFound)
  expect(await attached(request, id)).toEqual(pdf)
  expect(await stored(files)).toHaveLength(1)
})

test('a read-only subscription reads PDFs and changes none', async () => {
  const { request, files, id } = await aContractWithFiles()
  await attach(request, id)
  await world.db.system.query(`update subscriptions set status = 'unpaid'`)
  const unpaid = await requestOf(world, request.caller?.clerkUserId ?? '', { files })
  expect(await attached(unpaid, id)).toHaveLength(4096)
  await expect(attach(unpaid, id)).rejects.toMatchObject({ code: 'PAYMENT_REQUIRED' })
  await expect(asSubscriber(unpaid, (ctx) => removePdf(ctx, { id }))).rejects.toMatchObject({
    code: 'PAYMENT_REQUIRED',
  })
})

/** A store that does `steps` more things, the last of which it may not finish, and then nothing ever again. */
function dyingAfter(files: FileStore, steps: number, isFinished: boolean): FileStore {
  let left = steps
  const dying = <Input extends unknown[]>(work: (...input: Input) => Promise<void>) => {
    return async (...input: Input) => {
      left -= 1
      if (left > 0 || (left === 0 && isFinished)) await work(...input)
      if (left <= 0) throw new Error('the power is off')
    }
  }
  return {
    ...files,
    write: dying((key: string, bytes: Readable) => files.write(key, bytes)),
    move: dying((key: string, newKey: string) => files.move(key, newKey)),
    remove: dying((key: string) => files.remove(key)),
  }
}

describe('a crash', () => {
  const crashes = [1, 2, 3].flatMap((steps) => [true, false].map((isFinished) => ({ steps, isFinished })))

  test.each(crashes)(
    'at step $steps (finished: $isFinished) leaves a contract with a whole PDF, and the sweep the rest',
    async ({ steps, isFinished }) => {
      const { request, files, id } = await aContractWithFiles()
      const [first, second] = [aPdf(), aPdf()]
      await attach(request, id, first)
      const dying = { ...request, services: { ...request.services, files: dyingAfter(files, steps, isFinished) } }
      await attach(dying, id, second).catch(() => undefined)
      expect(await attached(request, id)).toEqual(steps < 3 ? first : second)
      await sweep(request)
      expect(await stored(files)).toEqual([await pathOf(request, id)])
    },
  )

  test.each([true, false])('at the commit (done: %s) leaves the same', async (isDone) => {
    const { request, files, id } = await aContractWithFiles()
    const [first, second] = [aPdf(), aPdf()]
    await attach(request, id, first)
    const db: typeof world.db = {
      ...world.db,
      writeAs: async (accountId, work) => {
        if (isDone) await world.db.writeAs(accountId, work)
        throw new Error('the connection is lost')
      },
    }
    await expect(attach({ ...request, db }, id, second)).rejects.toThrow('connection is lost')
    expect(await attached(request, id)).toEqual(isDone ? second : first)
    await sweep(request)
    expect(await stored(files)).toEqual([await pathOf(request, id)])
  })
})

describe('the sweep', () => {
  test('keeps every PDF of every account, and what is younger than an hour', async () => {
    const { request, files, id } = await aContractWithFiles()
    await attach(request, id)
    const other = await anAccount(world, { services: { files } })
    await attach(other, (await aContract(other)).id)
    const installation = await readInstallation(world.db.system)
    await files.write(`incoming/${installation}/young`, Readable.from([aPdf()]))
    await files.write(newPdfKey(installation), Readable.from([aPdf()]))
    await sweep(request, { hours: 0.5 })
    expect(await stored(files)).toHaveLength(4)
    await sweep(request, { hours: 2 })
    expect(await stored(files)).toHaveLength(2)
    expect(await attached(request, id)).toHaveLength(4096)
  })

  test('removes the PDFs of a deleted account', async () => {
    const { request, files, id } = await aContractWithFiles()
    await attach(request, id)
    const other = await anAccount(world, { services: { files } })
    const { id: otherId } = await aContract(other)
    await attach(other, otherId)
    await world.db.system.query('delete from accounts where id = $1', [request.caller?.id])
    await sweep(other)
    expect(await stored(files)).toEqual([await pathOf(other, otherId)])
  })

  test('leaves the files of other databases alone, which may share a folder or a bucket', async () => {
    const { request, files } = await aContractWithFiles()
    const theirs = ['contracts/00000000-0000-0000-0000-000000000000/a.pdf', 'contracts/b.pdf', 'incoming/c']
    for (const key of theirs) await files.write(key, Readable.from([aPdf()]))
    await sweep(request)
    for (const key of theirs) expect(await files.exists(key)).toBe(true)
  })

  test('goes through a folder of thousands', async () => {
    const { request, files, id } = await aContractWithFiles()
    await attach(request, id)
    const installation = await readInstallation(world.db.system)
    for (let n = 0; n < 2500; n += 1) await files.write(newPdfKey(installation), Readable.from([Buffer.from('x')]))
    await sweep(request)
    expect(await stored(files)).toEqual([await pathOf(request, id)])
  })

  test('stops where the server stops', async () => {
    const { request, files } = await aContractWithFiles()
    const installation = await readInstallation(world.db.system)
    await files.write(newPdfKey(installation), Readable.from([aPdf()]))
    const services = { ...request.services, now: () => new Date(Date.now() + 2 * HOUR) }
    const stopped = sweepFiles({ db: world.db, log: request.log, services, signal: AbortSignal.abort() })
    await expect(stopped).rejects.toThrow('aborted')
    expect(await stored(files)).toHaveLength(1)
  })

  test('sees the names of files, and nothing else of a contract', async () => {
    const { request, id } = await aContractWithFiles()
    await aContract(request)
    await attach(request, id)
    const { rows } = await world.db.system.query('select pdf_path from contracts')
    expect(rows).toHaveLength(1)
    for (const statement of [
      'select id from contracts',
      'select * from contracts',
      'update contracts set pdf_path = null',
    ])
      await expect(world.db.system.query(statement)).rejects.toThrow('permission denied')
  })
})
