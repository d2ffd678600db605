import { expect, test } from 'vitest'
import { useApp } from '#support/app.ts'
import { archiveOf, fillAccount, importArchive, rowsIn } from '#support/archives.ts'
import { killWhileUploading } from '#support/kill-while-uploading.ts'
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
  const upload = { path: '/imports/archive', fileName: 'traxx.zip', content: archive, key, heldAt: 'Twin' }
  await killWhileUploading(world, upload)
  const left = await archiveOf(server, fresh)
  expect(['customers', 'contracts', 'tags', 'reminders'].flatMap((table) => rowsIn(left, table))).toEqual([])
  // The slot of the dead server would be taken for a minute.
  await world.db.system.query('delete from rate_limits')
  expect(await importArchive(server, fresh, archive)).toMatchObject({ status: 200, body: { counts: { contracts: 9 } } })
})
