import sql from 'sql-template-tag'
import { z } from 'zod'
import type { JobContext, SubscriberContext } from '#server/context.ts'
import { columnsOf } from '#server/db/columns.ts'
import { rowOf } from '#server/db/insert.ts'
import { KeptPdfEntity } from './kept-pdf.entity.ts'

/** How long a deleted or replaced PDF can be restored. */
const KEPT_MS = 3_600_000

export interface StoredFile {
  path: string
  /** Null for those uploaded before sizes were recorded. */
  bytes: number | null
}

const OWN = columnsOf(KeptPdfEntity, 'p', ['path', 'bytes'])
const KeptRow = z.object(OWN.fields)

/** Keeps the file that a contract had, for undoing, in place of one kept before. */
export async function keepPdf(ctx: SubscriberContext, contractId: number, file: StoredFile): Promise<void> {
  const { write, accountId, services, afterCommit } = ctx
  const [before] = await write(takenOut(accountId, contractId), KeptRow)
  await write(
    sql`insert into kept_pdfs ${rowOf(KeptPdfEntity, { accountId, contractId, ...file, keptAt: services.now() })}`,
  )
  if (before) afterCommit(() => services.files.remove(before.path))
}

/** The file that was kept for a contract, which is no longer kept; undefined if there is none or its time is over. */
export async function takeKeptPdf(ctx: SubscriberContext, contractId: number): Promise<StoredFile | undefined> {
  const [kept] = await ctx.write(takenOut(ctx.accountId, contractId, oldest(ctx)), KeptRow)
  return kept
}

/** Forgets files whose time is over, so that the sweep removes them. */
export async function forgetKeptPdfs(ctx: JobContext): Promise<void> {
  await ctx.db.system.query(sql`delete from kept_pdfs where kept_at < ${oldest(ctx)}`)
}

function oldest({ services }: Pick<JobContext, 'services'>): Date {
  return new Date(services.now().getTime() - KEPT_MS)
}

function takenOut(accountId: number, contractId: number, since = new Date(0)) {
  return sql`
    delete from kept_pdfs p where account_id = ${accountId} and contract_id = ${contractId} and kept_at >= ${since}
    returning ${OWN}`
}
