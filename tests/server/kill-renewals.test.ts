import { expect, test } from 'vitest'
import { workerConnection } from '#support/database.ts'
import { urlOf } from '#support/full-server.ts'
import { killRenewals } from '#support/kill-renewals.ts'

test('a worker that is killed amid renewals, or amid a change of many contracts, renews each contract once', async () => {
  const connection = await workerConnection()
  expect(await killRenewals({ connection, url: urlOf(connection) })).toEqual([])
}, 900_000)
