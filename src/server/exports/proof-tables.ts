import sql, { type Sql } from 'sql-template-tag'
import { z } from 'zod'
import type { ReaderContext } from '#server/context.ts'
import { columnsOf } from '#server/db/columns.ts'
import { ProofEntity, ProofHeadEntity, ProofRecordEntity } from '#server/proofs/proof.entity.ts'
import { BATCH, type ExportTable } from './tables.ts'

const LINK = columnsOf(ProofEntity, 'p', [
  'number',
  'reminderId',
  'answerId',
  'previousHash',
  'recordHash',
  'hash',
  'signature',
  'keyId',
])
const LinkRow = z.object(LINK.fields)
const RECORD = columnsOf(ProofRecordEntity, 'p', ['number', 'record'])
const RecordRow = z.object(RECORD.fields)

/** The whole chain, with which certificates and heads are compared. */
export function proofsTable(ctx: ReaderContext): ExportTable<z.output<typeof LinkRow>> {
  return {
    headings: ['Number', 'Reminder ID', 'Answer ID', 'Previous Hash', 'Record Hash', 'Hash', 'Signature', 'Key ID'],
    cells: (link) => [
      link.number,
      link.reminderId,
      link.answerId,
      link.previousHash,
      link.recordHash,
      link.hash,
      link.signature,
      link.keyId,
    ],
    batches: () => byNumber(ctx, LinkRow, (which) => sql`select ${LINK} from proofs p ${which}`),
  }
}

/** What each link proves, letter for letter as it was hashed. */
export function proofRecordsTable(ctx: ReaderContext): ExportTable<z.output<typeof RecordRow>> {
  return {
    headings: ['Number', 'Record'],
    cells: ({ number, record }) => [number, record],
    batches: () => byNumber(ctx, RecordRow, (which) => sql`select ${RECORD} from proof_records p ${which}`),
  }
}

const MAILED = columnsOf(ProofHeadEntity, 'p', ['weekly', 'mailedNumber', 'nextMailAt'])
const MailedRow = z.object(MAILED.fields)

/** Which head was mailed last, and when the next one is. */
export function proofHeadsTable({ read, accountId }: ReaderContext): ExportTable<z.output<typeof MailedRow>> {
  return {
    headings: ['Weekly', 'Last Mailed', 'Next Email'],
    cells: ({ weekly, mailedNumber, nextMailAt }) => [weekly, mailedNumber, nextMailAt],
    async *batches() {
      const rows = await read(sql`select ${MAILED} from proof_heads p where p.account_id = ${accountId}`, MailedRow)
      if (rows.length > 0) yield rows
    },
  }
}

async function* byNumber<Row extends { number: number }>(
  { read, accountId }: ReaderContext,
  row: z.ZodType<Row>,
  statement: (which: Sql) => Sql,
): AsyncGenerator<Row[]> {
  let after = 0
  for (;;) {
    const which = sql`where p.account_id = ${accountId} and p.number > ${after} order by p.number limit ${BATCH}`
    const rows = await read(statement(which), row)
    const last = rows.at(-1)
    if (!last) return
    yield rows
    after = last.number
  }
}
