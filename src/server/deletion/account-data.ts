import sql, { raw } from 'sql-template-tag'
import { z } from 'zod'
import type { JobContext } from '#server/context.ts'
import { readRows } from '#server/db/rows.ts'
import { seeingTrash } from '#server/db/trash.ts'
import { withdraw } from '#server/ledger/requests.ts'

export type DeletionContext = Pick<JobContext, 'db' | 'services'>

const FILES_AT_ONCE = 500
const ROWS_AT_ONCE = 5000

/** Tables in which an account may have very many rows. The others are deleted with the account's own row. */
export const LARGE_TABLES = [
  'reminders',
  'notices',
  'notifications',
  'bulk_contracts',
  'contract_decisions',
  'contract_terms',
  'notes',
  'customer_answers',
  'answer_links',
  'answer_settings',
  'contracts',
  'customer_contacts',
  'customers',
  'activity',
  'import_failures',
  'import_updates',
]

/** Removes messages that are waiting to be sent. */
export async function withdrawReminders({ db }: DeletionContext, accountId: number): Promise<void> {
  await db.writeAs(accountId, (_em, write) => withdraw(write, accountId))
}

/** Removes the logo and the PDFs while their rows still name them. */
export async function removeFiles({ db, services }: DeletionContext, accountId: number): Promise<void> {
  const read = db.readAs(accountId, { trash: true })
  const [company] = await read(sql`select logo_path as logo from companies where account_id = ${accountId}`, LogoRow)
  if (company?.logo) await services.files.remove(company.logo)
  const kept = await read(sql`select path from kept_pdfs where account_id = ${accountId}`, KeptRow)
  for (const { path } of kept) await services.files.remove(path)
  let after = 0
  for (;;) {
    const statement = sql`
      select id, pdf_path as path from contracts
      where account_id = ${accountId} and pdf_path is not null and id > ${after} order by id limit ${FILES_AT_ONCE}`
    const stored = await read(statement, PdfRow)
    for (const { path } of stored) await services.files.remove(path)
    const last = stored.at(-1)
    if (!last) return
    after = last.id
  }
}

const LogoRow = z.object({ logo: z.string().nullable() })
const KeptRow = z.object({ path: z.string() })
const PdfRow = z.object({ id: z.int(), path: z.string() })

/** In batches, because a large account would take one long transaction. */
export async function removeRows({ db }: DeletionContext, accountId: number): Promise<void> {
  await removeProofs(db, accountId)
  for (const table of LARGE_TABLES) {
    for (let removed = ROWS_AT_ONCE; removed === ROWS_AT_ONCE;) {
      const rows = await db.writeAs(accountId, (_em, write) =>
        seeingTrash(write, () => write(aBatch(table, accountId))),
      )
      removed = rows.length
    }
  }
}

/** By a function that only the role of this job may call: nobody else can delete from the chain. */
async function removeProofs({ system }: DeletionContext['db'], accountId: number): Promise<void> {
  const statement = sql`select remove_proofs(${accountId}, ${ROWS_AT_ONCE}) as removed`
  for (let removed = ROWS_AT_ONCE; removed === ROWS_AT_ONCE;) {
    const [row] = await readRows(system, statement, RemovedRow)
    removed = row?.removed ?? 0
  }
}

const RemovedRow = z.object({ removed: z.int() })

function aBatch(table: string, accountId: number) {
  const name = raw(table)
  return sql`
    delete from ${name} where account_id = ${accountId}
      and ctid = any(array(select ctid from ${name} where account_id = ${accountId} limit ${ROWS_AT_ONCE}))
    returning account_id`
}
