import sql, { raw, type Sql } from 'sql-template-tag'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { $ZodError } from 'zod/v4/core'
import { AppError } from '#shared/errors.ts'
import type { SubscriberContext } from '#server/context.ts'
import { anAccount, useWorld } from '#support/world.ts'
import { createCallerFactory, router, subscriberProcedure } from './trpc.ts'

const world = useWorld()

/** How a procedure asks the database, where errors become MikroORM's own in one of them. */
const WAYS: [string, (ctx: SubscriberContext, statement: Sql) => Promise<unknown>][] = [
  ['a statement', (ctx, statement) => ctx.write(statement)],
  ['the entity manager', (ctx, statement) => ctx.em.execute(statement.sql)],
]

/** Calls a procedure that runs a statement in its first transaction; returns in how many it was run. */
async function runsOf(work: (ctx: SubscriberContext) => Promise<unknown>): Promise<number> {
  let runs = 0
  const app = router({
    act: subscriberProcedure.mutation(async ({ ctx }) => {
      runs += 1
      if (runs === 1) await work(ctx)
      return runs
    }),
  })
  return createCallerFactory(app)(await anAccount(world)).act()
}

const failing = (options: string) => sql`do $$ begin raise exception 'refused' using ${raw(options)}; end $$`

test.each(WAYS)('a call that a deadlock has ended in %s is run again', async (_, run) => {
  expect(await runsOf((ctx) => run(ctx, failing(`errcode = '40P01'`)))).toBe(2)
})

test.each(WAYS)('a call that has waited too long for a lock in %s is refused as busy', async (_, run) => {
  const call = runsOf((ctx) => run(ctx, failing(`errcode = '55P03'`)))
  await expect(call).rejects.toMatchObject({ code: 'CONFLICT', cause: { key: 'ACCOUNT_BUSY' } })
})

test.each(WAYS)('a call of an account that was deleted meanwhile is refused as not signed in by %s', async (_, run) => {
  const call = runsOf((ctx) => run(ctx, failing(`errcode = '23503', constraint = 'x_account_id_fkey'`)))
  await expect(call).rejects.toMatchObject({ code: 'UNAUTHORIZED', cause: { key: 'NOT_SIGNED_IN' } })
})

test('a call that is refused, or fails by itself, is run once, and says what it said', async () => {
  const refusal = new AppError('CONTRACT_NOT_FOUND')
  const refused = runsOf(() => Promise.reject(refusal))
  await expect(refused).rejects.toMatchObject({ code: 'NOT_FOUND', cause: refusal })
  const fault = new Error('a fault')
  await expect(runsOf(() => Promise.reject(fault))).rejects.toMatchObject({
    code: 'INTERNAL_SERVER_ERROR',
    cause: fault,
  })
})

test('a call with an input that is wrong keeps saying so', async () => {
  const app = router({ act: subscriberProcedure.input(z.int()).mutation(() => 'done') })
  const { act } = createCallerFactory(app)(await anAccount(world))
  await expect(act(1.5)).rejects.toMatchObject({ code: 'BAD_REQUEST', cause: expect.any($ZodError) })
})
