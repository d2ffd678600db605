import sql from 'sql-template-tag'
import { expect, test } from 'vitest'
import type { Write } from '#server/db/database.ts'
import { restoreFromTrash } from '#server/trash/trash.service.ts'
import { aCustomer, anAccount, asSubscriber, useWorld } from '#support/world.ts'
import { moveCustomersToTrash } from './customer.trash.ts'
import { removeCustomer } from './customers.service.ts'

const world = useWorld()

// It is not locked, so somebody may be adding a contract to it that cannot be seen yet.
test('a customer that is restored while others are deleted is not deleted again', async () => {
  const request = await anAccount(world)
  const { id } = await aCustomer(request)
  await asSubscriber(request, (ctx) => removeCustomer(ctx, { id }))
  const restore = () => asSubscriber(request, (ctx) => restoreFromTrash(ctx, { customers: [id], contracts: [] }))
  const moved = await asSubscriber(request, (ctx) =>
    moveCustomersToTrash({ ...ctx, write: beforeSecond(ctx.write, restore) }, sql`c.id = ${id}`),
  )
  expect(moved).toBe(0)
})

/** Runs `work` between the first and the second statement. */
function beforeSecond(write: Write, work: () => Promise<unknown>): Write {
  let count = 0
  return new Proxy(write, {
    apply: async (target, self, statement) => {
      count += 1
      if (count === 2) await work()
      return Reflect.apply(target, self, statement)
    },
  })
}
