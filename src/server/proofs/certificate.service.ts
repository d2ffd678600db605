import sql, { raw, type Sql } from 'sql-template-tag'
import { z } from 'zod'
import { StoredRecord } from '#shared/certificates/certificate.ts'
import { hashParts, type ProvedRecord } from '#shared/domain/proof-chain.ts'
import { AppError } from '#shared/errors.ts'
import type { ById } from '#shared/schemas/fields.ts'
import type { ByMessage } from '#shared/schemas/reminders.ts'
import type { ReaderContext } from '#server/context.ts'
import { columnsOf } from '#server/db/columns.ts'
import { ProofEntity, ProofRecordEntity } from './proof.entity.ts'

const LINK = columnsOf(ProofEntity, 'p', ['number', 'previousHash', 'recordHash', 'hash', 'signature', 'keyId'])
const RECORD = columnsOf(ProofRecordEntity, 'q', ['record'])
const ProvedRow = z.object({ ...LINK.fields, ...RECORD.fields })

/** The row of reminders `r` that their email is proved under: the one that its Message-ID names. */
const PROVED_AS = raw(`coalesce(substring(r.message_id from '^<reminder-([0-9]{1,15})[.]')::bigint, r.id)`)

/** Whether anything is proved of reminders `r`. */
export const HAS_CERTIFICATE = sql`exists (
  select from proofs p where p.account_id = r.account_id and p.reminder_id = ${PROVED_AS})`

/** Whether anything is proved of customers' answers `w`. */
export const IS_ANSWER_PROVED = sql`exists (
  select from proofs p where p.account_id = w.account_id and p.answer_id = w.id and not w.is_imported)`

export interface CertificateFile {
  name: string
  bytes: Uint8Array
}

/** What a certificate is about: a message of the ledger, or an answer. */
export type Proved = { reminderId: number } | { answerId: number }

/** All that is proved of a message, as a PDF. @throws CERTIFICATE_NOT_FOUND, also for somebody else's message */
export function getCertificate(ctx: ReaderContext, { id }: ByMessage): Promise<CertificateFile> {
  return certificateFile(ctx, { reminderId: id }, `traxx-certificate-${id}.pdf`)
}

/**
 * All that is proved of a customer's answer, as a PDF.
 * @throws CERTIFICATE_NOT_FOUND, also for somebody else's answer, and for one that an archive has brought
 */
export function getAnswerCertificate(ctx: ReaderContext, { id }: ById): Promise<CertificateFile> {
  return certificateFile(ctx, { answerId: id }, `traxx-certificate-answer-${id}.pdf`)
}

function certificateFile(ctx: ReaderContext, proved: Proved, name: string): Promise<CertificateFile> {
  return ctx.limits.during('previews', ctx.accountId, async () => {
    const bytes = await certificateOf(ctx, proved)
    if (!bytes) throw new AppError('CERTIFICATE_NOT_FOUND')
    return { name, bytes }
  })
}

/** A certificate, for callers with a limit of their own; undefined if nothing is proved. */
export async function certificateOf(ctx: Reading, about: Proved): Promise<Uint8Array | undefined> {
  const proved = await readProved(ctx, 'answerId' in about ? ofAnswer(ctx, about) : ofMessage(ctx, about))
  if (proved.length === 0) return undefined
  // Loaded with the first certificate, because it takes a while.
  const { certificatePdf } = await import('#shared/certificates/certificate-pdf.ts')
  return certificatePdf({ format: 'traxx-certificate-1', proved })
}

type Reading = Pick<ReaderContext, 'read' | 'accountId'>

/** Proofs `p` of a message. */
function ofMessage({ accountId }: Reading, { reminderId }: { reminderId: number }): Sql {
  return sql`
    from reminders r join proofs p on p.account_id = r.account_id and p.reminder_id = ${PROVED_AS}
    where r.account_id = ${accountId} and r.id = ${reminderId}`
}

/** Proofs `p` of an answer. */
function ofAnswer({ accountId }: Reading, { answerId }: { answerId: number }): Sql {
  return sql`
    from customer_answers w join proofs p on p.account_id = w.account_id and p.answer_id = w.id
    where w.account_id = ${accountId} and w.id = ${answerId} and not w.is_imported`
}

async function readProved({ read }: Reading, which: Sql) {
  const statement = sql`
    with p as (select p.* ${which})
    select ${LINK}, ${RECORD} from p join proof_records q on q.account_id = p.account_id and q.number = p.number
    order by p.number`
  const rows = await read(statement, ProvedRow)
  return Promise.all(rows.map(provedOf))
}

async function provedOf({ record: text, ...link }: z.output<typeof ProvedRow>) {
  const record = StoredRecord.parse(JSON.parse(text))
  return { record, partHashes: await hashParts(record), link } satisfies ProvedRecord
}
