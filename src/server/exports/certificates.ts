import { Readable } from 'node:stream'
import { setImmediate } from 'node:timers/promises'
import sql, { type Sql } from 'sql-template-tag'
import { z } from 'zod'
import type { ReaderContext } from '#server/context.ts'
import { certificateOf, HAS_CERTIFICATE, IS_ANSWER_PROVED, type Proved } from '#server/proofs/certificate.service.ts'
import { BATCH, byId } from './tables.ts'
import type { ZipEntry } from './zip.ts'

const IdRow = z.object({ id: z.int() })

/**
 * The certificates of notices, by email and letter, and of customers' answers, each with the bytes of its own download. One
 * is made when the one before has been sent, and whatever else the server is asked meanwhile comes first.
 */
export async function* certificates(ctx: ReaderContext): AsyncGenerator<ZipEntry> {
  const { accountId } = ctx
  // In its own step: the order by ID would have the messages of all accounts looked through for these few.
  const notices = sql`
    with r as materialized (
      select account_id, id, message_id from reminders
      where account_id = ${accountId} and kind in ('notice', 'letter'))
    select r.id::float8 as id from r where ${HAS_CERTIFICATE}`
  yield* allOf(ctx, { rows: notices, id: sql`r.id`, name: 'notice', about: (reminderId) => ({ reminderId }) })
  const answers = sql`select w.id from customer_answers w where w.account_id = ${accountId} and ${IS_ANSWER_PROVED}`
  yield* allOf(ctx, { rows: answers, id: sql`w.id`, name: 'answer', about: (answerId) => ({ answerId }) })
}

interface Certified {
  rows: Sql
  id: Sql
  name: string
  about: (id: number) => Proved
}

async function* allOf(ctx: ReaderContext, { rows, id, name, about }: Certified): AsyncGenerator<ZipEntry> {
  const batches = byId((after) => ctx.read(sql`${rows} and ${id} > ${after} order by ${id} limit ${BATCH}`, IdRow))
  for await (const batch of batches) {
    for (const row of batch) {
      await setImmediate()
      const bytes = await certificateOf(ctx, about(row.id))
      const content = bytes && Readable.from([bytes])
      if (content) yield { name: `certificates/${name}-${row.id}.pdf`, content, isCompressible: true }
    }
  }
}
