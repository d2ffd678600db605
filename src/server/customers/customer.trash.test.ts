import sql from 'sql-template-tag'
import { expect, test } from 'vitest'
import { restoreFromTrash } from '#server/trash/trash.service.ts'
import { beforeStatement } from '#support/before-statement.ts'
import { aCustomer, anAccount, asSubscriber, useWorld } from '#support/world.ts'
import { moveCustomersToTrash } from './customer.trash.ts'
import { removeCustomer } from './customers.service.ts'

const world = useWorld()

// It is not locked, so somebody may be adding a contract to it that cannot be seen yet.
test('a customer that is restored while others are deleted is not deleted again', async () => {
  const request = await anAccount(world)
  const { id } = await aCustomer(request)
  await asSubscriber(request, (ctx) => removeCustomer(ctx, { id }))
  let restored: unknown
  const restore = async () => {
    restored = await asSubscriber(request, (ctx) => restoreFromTrash(ctx, { customers: [id], contracts: [] }))
  }
  const moved = await asSubscriber(request, (ctx) =>
    moveCustomersToTrash({ ...ctx, write: beforeStatement(ctx.write, /app\.trash/, restore) }, sql`c.id = ${id}`),
  )
  expect(restored).toMatchObject({ customers: [id] })
  expect(moved).toBe(0)
})
