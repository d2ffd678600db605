import sql from 'sql-template-tag'
import { z } from 'zod'
import type { JobContext, SubscriberContext } from '#server/context.ts'
import { columnsOf } from '#server/db/columns.ts'
import { rowOf } from '#server/db/insert.ts'
import { readRows } from '#server/db/rows.ts'
import { KeptPdfEntity } from './kept-pdf.entity.ts'

/** How long a deleted or replaced PDF can be restored. */
const KEPT_MS = 3_600_000
/** Of an account: they do not count for its quota of PDFs. */
const MOST_KEPT = 100

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
  const tooMany = await write(
    sql`
      delete from kept_pdfs p where account_id = ${accountId} and path in (
        select path from kept_pdfs where account_id = ${accountId} order by kept_at desc, path offset ${MOST_KEPT})
      returning ${OWN}`,
    KeptRow,
  )
  for (const { path } of [...(before ? [before] : []), ...tooMany]) afterCommit(() => services.files.remove(path))
}

/** The file that was kept for a contract, which is no longer kept; undefined if there is none or its time is over. */
export async function takeKeptPdf(ctx: SubscriberContext, contractId: number): Promise<StoredFile | undefined> {
  const [kept] = await ctx.write(takenOut(ctx.accountId, contractId, oldest(ctx)), KeptRow)
  return kept
}

/** Removes files whose time is over. What a crash leaves behind is left to the sweep of files. */
export async function removeKeptPdfs(ctx: JobContext): Promise<void> {
  const statement = sql`delete from kept_pdfs where kept_at < ${oldest(ctx)} returning path`
  for (const { path } of await readRows(ctx.db.system, statement, PathRow)) await ctx.services.files.remove(path)
}

const PathRow = z.object({ path: z.string() })

function oldest({ services }: Pick<JobContext, 'services'>): Date {
  return new Date(services.now().getTime() - KEPT_MS)
}

function takenOut(accountId: number, contractId: number, since = new Date(0)) {
  return sql`
    delete from kept_pdfs p where account_id = ${accountId} and contract_id = ${contractId} and kept_at >= ${since}
    returning ${OWN}`
}
