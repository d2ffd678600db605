import sql from 'sql-template-tag'
import { z } from 'zod'
import type { SaveProofHead } from '#shared/schemas/proofs.ts'
import type { ReaderContext, SubscriberContext } from '#server/context.ts'
import { columnsOf } from '#server/db/columns.ts'
import type { Read } from '#server/db/database.ts'
import { ProofEntity } from './proof.entity.ts'

const HEAD = columnsOf(ProofEntity, 'p', ['number', 'hash', 'signature', 'keyId'])
const HeadRow = z.object(HEAD.fields)
const WeeklyRow = z.object({ weekly: z.boolean() })

export interface ProofHeadView {
  /** The last link of the account's chain; null if nothing has been proved yet. */
  head: z.output<typeof HeadRow> | null
  /** Whether it is mailed to the owner each week in which it has changed. */
  weekly: boolean
}

/** The head of the account's chain, null before the first record, and whether it is mailed weekly. */
export async function getProofHead({ read, accountId }: ReaderContext): Promise<ProofHeadView> {
  const [row] = await read(sql`select weekly from proof_heads where account_id = ${accountId}`, WeeklyRow)
  return { head: (await readHead(read, accountId)) ?? null, weekly: row?.weekly ?? true }
}

/** Turns the weekly email on or off. */
export async function saveProofHead(ctx: SubscriberContext, { weekly }: SaveProofHead): Promise<ProofHeadView> {
  const { write, accountId, services } = ctx
  await write(sql`
    insert into proof_heads (account_id, weekly, next_mail_at)
    values (${accountId}, ${weekly}, ${weekFrom(services.now())})
    on conflict (account_id) do update set weekly = excluded.weekly`)
  return getProofHead(ctx)
}

/** Number and hash of the last record of an account's chain; undefined before the first. */
export async function readHead(read: Read, accountId: number): Promise<z.output<typeof HeadRow> | undefined> {
  const statement = sql`select ${HEAD} from proofs p where p.account_id = ${accountId} order by p.number desc limit 1`
  const [head] = await read(statement, HeadRow)
  return head
}

const WEEK_MS = 7 * 86_400_000

/** When the head is mailed next. */
export function weekFrom(now: Date): Date {
  return new Date(now.getTime() + WEEK_MS)
}
