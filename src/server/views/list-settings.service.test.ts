import { expect, test } from 'vitest'
import { ListSettings } from '#shared/schemas/views.ts'
import type { RequestContext } from '#server/context.ts'
import { anAccount, asSubscriber, requireReader, useWorld } from '#support/world.ts'
import { getListSettings, saveListSettings } from './list-settings.service.ts'

const world = useWorld()

const save = (request: RequestContext, contractColumns: string | null) =>
  asSubscriber(request, (ctx) => saveListSettings(ctx, ListSettings.parse({ contractColumns })))
const settingsOf = (request: RequestContext) => getListSettings(requireReader(request))

test('an account has columns of its own as its default, and the usual ones again', async () => {
  const request = await anAccount(world)
  expect(await settingsOf(request)).toEqual({ contractColumns: null })
  expect(await save(request, 'customer, lost,tags')).toEqual({ contractColumns: 'customer,tags' })
  expect(await settingsOf(request)).toEqual({ contractColumns: 'customer,tags' })
  await save(request, null)
  expect(await settingsOf(request)).toEqual({ contractColumns: null })
})

test("another account's default is not seen, nor changed", async () => {
  const [owner, other] = [await anAccount(world), await anAccount(world)]
  await save(owner, 'tags')
  expect(await settingsOf(other)).toEqual({ contractColumns: null })
  await save(other, 'amount')
  expect(await settingsOf(owner)).toEqual({ contractColumns: 'tags' })
})
