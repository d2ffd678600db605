import sql from 'sql-template-tag'
import { z } from 'zod'
import type { JobContext } from '#server/context.ts'
import { readRows } from '#server/db/rows.ts'
import { logoFolder, readInstallation } from './files.service.ts'
import { incomingFolder, pdfFolder } from './store-pdf.ts'

/** Files that nothing points at are removed when they are older. */
export const SETTLED_MS = 3_600_000
const SWEPT_AT_ONCE = 1000

/** Removes files that no contract or company points at and that are not kept for undoing, left by crashes, failed removals, and deleted accounts. */
export async function sweepFiles(ctx: JobContext): Promise<void> {
  const installation = await readInstallation(ctx.db.system)
  await sweepFolder(ctx, incomingFolder(installation))
  await sweepFolder(ctx, pdfFolder(installation))
  await sweepFolder(ctx, logoFolder(installation))
}

const KeyRow = z.object({ key: z.string() })

async function sweepFolder(ctx: JobContext, folder: string): Promise<void> {
  for await (const keys of settledFiles(ctx, folder)) {
    const statement = sql`
      select key from unnest(${keys}::text[]) key where not exists (select from contracts where pdf_path = key)
        and not exists (select from companies where logo_path = key)
        and not exists (select from kept_pdfs where path = key)`
    const rows = await readRows(ctx.db.system, statement, KeyRow)
    for (const { key } of rows) {
      ctx.signal.throwIfAborted()
      await ctx.services.files.remove(key)
    }
    if (rows.length > 0) ctx.log.info({ folder, files: rows.length }, 'unused files removed')
  }
}

/** In batches, to save memory. Younger files are skipped: a contract may be about to point at them. */
async function* settledFiles({ services }: JobContext, folder: string): AsyncGenerator<string[]> {
  const latest = services.now().getTime() - SETTLED_MS
  let keys: string[] = []
  for await (const { key, changedAt } of services.files.list(folder)) {
    if (changedAt.getTime() < latest) keys.push(key)
    if (keys.length < SWEPT_AT_ONCE) continue
    yield keys
    keys = []
  }
  if (keys.length > 0) yield keys
}
