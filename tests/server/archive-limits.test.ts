import { afterEach, beforeEach, expect, test } from 'vitest'
import { archiveQueue } from '#server/archives/archive-reader.ts'
import { useApp } from '#support/app.ts'
import { archiveOf, callerOf, fillAccount, importArchive } from '#support/archives.ts'
import { fakeServices, memoryFiles } from '#support/services.ts'
import { anAccount, useWorld } from '#support/world.ts'

const world = useWorld()
const files = memoryFiles()
const server = useApp(world, { files })
/** The same again: a server remembers whom it has refused, and accounts of other tests have the same ids. */
const other = useApp(world, { files })
const { storage } = fakeServices()
const withoutPdfs = useApp(world, { files, storage: { ...storage, quotas: { ...storage.quotas, pdfs: 1 } } })

/** Lets all archives wait. What is refused all the same has not waited. */
async function holdQueue() {
  const signal = new AbortController().signal
  leave = await archiveQueue.enter({ accountId: 0, signal })
}

let leave = () => {}
beforeEach(() => {
  leave = () => {}
})
afterEach(() => leave())

/** An archive without contracts, which leaves the account as empty as it was. */
async function anEmptyArchive() {
  const request = await anAccount(world)
  return { request, archive: await archiveOf(server, request) }
}

test('ten archives an hour are checked or imported, wrong ones included, and another one is refused', async () => {
  const { request, archive } = await anEmptyArchive()
  for (const query of ['?preview=true', ''])
    expect(await importArchive(server, request, archive, query)).toMatchObject({ status: 200 })
  for (let count = 0; count < 8; count += 1)
    expect(await importArchive(server, request, Buffer.from('no zip'))).toMatchObject({ status: 422 })
  await holdQueue()
  expect(await importArchive(server, request, archive, '?preview=true')).toMatchObject({
    status: 429,
    body: { error: expect.stringMatching(/try again in (60 minutes|1 hour)$/), refusal: 'TOO_MANY_REQUESTS' },
  })
})

test('five archives in 30 days are imported, and the sixth is refused; previews and wrong ones do not count', async () => {
  const { request, archive } = await anEmptyArchive()
  expect(await importArchive(other, request, archive, '?preview=true')).toMatchObject({ status: 200 })
  expect(await importArchive(other, request, Buffer.from('no zip'))).toMatchObject({ status: 422 })
  for (let count = 0; count < 5; count += 1)
    expect(await importArchive(other, request, archive)).toMatchObject({ status: 200 })
  expect(await importArchive(other, request, archive)).toMatchObject({
    status: 429,
    body: { error: 'Too many requests. Please try again in 30 days', refusal: 'TOO_MANY_REQUESTS' },
  })
  expect(await importArchive(other, request, archive, '?preview=true')).toMatchObject({ status: 200 })
})

test('an archive with more PDFs than there is room for is refused before it waits', async () => {
  const full = await anAccount(world, { services: { files } })
  await fillAccount(full)
  const archive = await archiveOf(server, full)
  const fresh = await anAccount(world, { company: null })
  await holdQueue()
  expect(await importArchive(withoutPdfs, fresh, archive)).toMatchObject({ body: { refusal: 'PDFS_FULL' } })
  leave()
  expect(await callerOf(fresh).customers.list({})).toMatchObject({ total: 0 })
})
