import { once } from 'node:events'
import { expect, test } from 'vitest'
import { useApp } from '#support/app.ts'
import { freePort, startApp } from '#support/app-process.ts'
import { archiveOf, fillAccount, importArchive, rowsIn } from '#support/archives.ts'
import { urlOf } from '#support/full-server.ts'
import { holdBatchOf } from '#support/held-batches.ts'
import { memoryFiles } from '#support/services.ts'
import { anAccount, anApiKey, useWorld } from '#support/world.ts'

const world = useWorld()
const files = memoryFiles()
const server = useApp(world, { files })

test('a server that is killed in the middle leaves nothing of an archive, which can then be imported', async () => {
  const full = await anAccount(world, { services: { files } })
  await fillAccount(full)
  const archive = await archiveOf(server, full)
  const fresh = await anAccount(world)
  const key = await anApiKey(fresh)
  const port = await freePort()
  const app = startApp({
    NODE_ENV: 'test',
    PORT: String(port),
    DATABASE_URL: urlOf(world.connection),
    DATA_DIR: '.data/test-crash',
    LOG_LEVEL: 'error',
  })
  await app.says('TRAXX is ready at')
  const last = await holdBatchOf(world, 'Twin')
  const form = new FormData()
  form.append('file', new Blob([Uint8Array.from(archive)]), 'traxx.zip')
  const answer = fetch(`http://localhost:${port}/imports/archive`, {
    method: 'POST',
    body: form,
    headers: { authorization: `Bearer ${key}` },
  }).catch((error: unknown) => error)
  await last.reached()
  app.child.kill('SIGKILL')
  await once(app.child, 'exit')
  expect(await answer).toBeInstanceOf(Error)
  await last.release()
  const left = await archiveOf(server, fresh)
  expect(['customers', 'contracts', 'tags', 'reminders'].flatMap((table) => rowsIn(left, table))).toEqual([])
  // The slot of the dead server would be taken for a minute.
  await world.db.system.query('delete from rate_limits')
  expect(await importArchive(server, fresh, archive)).toMatchObject({ status: 200, body: { counts: { contracts: 9 } } })
})
