import { expect, test } from 'vitest'
import type { RequestContext } from '#server/context.ts'
import { bearer, call, useApp } from '#support/app.ts'
import { archiveOf, callerOf, importArchive } from '#support/archives.ts'
import { useImports } from '#support/imports.ts'
import { memoryFiles } from '#support/services.ts'
import { anAccount, useWorld } from '#support/world.ts'

const world = useWorld()
const services = { files: memoryFiles() }
const server = useApp(world, services)
const { importCustomers } = useImports(server)

async function aHarbor(request: RequestContext) {
  const { customers, contacts } = callerOf(request)
  const { id } = await customers.create({ name: 'Harbor Bakery', contactName: 'José Peña' })
  await customers.create({ name: 'Quay' })
  await contacts.add({ id, name: 'Ada', email: 'ada@lovelace.test', phone: '(555) 010-0' })
  return id
}

const SEARCHES = ['ada', 'LOVELACE', '5550100', '555-010', 'jose']

/** The names that each call finds by a text. */
async function foundBy(request: RequestContext, search: string) {
  const headers = bearer(request)
  const query = new URLSearchParams({ search })
  const rest = await call(server, { url: `/customers?${query}`, headers })
  const page = await call(server, { url: `/customers?limit=10&${query}`, headers })
  const file = await server.app.inject({ url: `/customers/export.csv?${query}`, headers })
  const { rows } = await callerOf(request).customers.list({ search })
  const names = (found: { name: string }[]) => found.map(({ name }) => name)
  const lines = file.body.trim().split('\r\n').slice(1)
  return [names(rest.body), names(page.body), names(rows), lines.map((line) => /Harbor Bakery|Quay/.exec(line)?.[0])]
}

const HARBOR = ['Harbor Bakery']
const EVERYWHERE = [HARBOR, HARBOR, HARBOR, HARBOR]

test('REST, exports and the app find a customer by every contact', async () => {
  const request = await anAccount(world)
  await aHarbor(request)
  for (const search of SEARCHES) expect(await foundBy(request, search)).toEqual(EVERYWHERE)
})

test('nobody finds customers of another account by a contact', async () => {
  await aHarbor(await anAccount(world))
  const other = await anAccount(world)
  await callerOf(other).customers.create({ name: 'Quay' })
  for (const search of SEARCHES) expect(await foundBy(other, search)).toEqual([[], [], [], []])
})

test('contacts that an import or an archive brings are found', async () => {
  const request = await anAccount(world, { services })
  await importCustomers(
    request,
    'Name,Contact Person,Contact 2 Name,Contact 2 Email,Contact 2 Phone\n' +
      'Harbor Bakery,José Peña,Ada,ada@lovelace.test,(555) 010-0\nQuay,,,,\n',
  )
  const fresh = await anAccount(world, { company: null, services })
  expect(await importArchive(server, fresh, await archiveOf(server, request))).toMatchObject({ status: 200 })
  for (const search of SEARCHES) {
    expect(await foundBy(request, search)).toEqual(EVERYWHERE)
    expect(await foundBy(fresh, search)).toEqual(EVERYWHERE)
  }
})

test('a contact that is added leaves the ETag of its customer valid', async () => {
  const request = await anAccount(world)
  const id = await aHarbor(request)
  const headers = bearer(request)
  const before = await call(server, { url: `/customers/${id}`, headers })
  await callerOf(request).contacts.add({ id, name: 'Grace' })
  const changed = await call(server, {
    method: 'PUT',
    url: `/customers/${id}`,
    headers: { ...headers, 'if-match': String(before.headers['etag']) },
    payload: { address: '12 Pier Road' },
  })
  expect(changed).toMatchObject({ status: 200, body: { address: '12 Pier Road' } })
})
