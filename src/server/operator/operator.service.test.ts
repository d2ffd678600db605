import sql from 'sql-template-tag'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { readRows } from '#server/db/rows.ts'
import { holdStatement } from '#support/held-rows.ts'
import { NOON } from '#support/services.ts'
import { anAccount, useWorld } from '#support/world.ts'
import { endSuspension } from './operator.service.ts'

const world = useWorld()
const StopRow = z.object({ isLifted: z.boolean() })

test('the end of a suspension that is just being stored ends its pause of mail as well', async () => {
  const { caller, callers } = await anAccount(world)
  const id = caller?.id ?? 0
  const suspending = `
    with changed as (update accounts set suspended_at = now(), suspension_reason = 'spam' where id = $1 returning id)
    insert into mail_stops (account_id, stopped_at, complaints, mails, told_at) select id, now(), 0, 0, now() from changed`
  await using held = await holdStatement(world, suspending, [id])
  const ended = endSuspension({ db: world.db, callers }, id, NOON)
  await held.waitedFor(1)
  await held.release()
  await ended
  const stops = sql`select lifted_at is not null as "isLifted" from mail_stops where account_id = ${id}`
  expect(await readRows(world.db.system, stops, StopRow)).toEqual([{ isLifted: true }])
})
