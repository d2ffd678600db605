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

/** All that is proved of a message, as a PDF. @throws CERTIFICATE_NOT_FOUND, also for somebody else's message */
export function getCertificate(ctx: ReaderContext, { id }: ByMessage): Promise<CertificateFile> {
  const which = sql`
    from reminders r join proofs p on p.account_id = r.account_id and p.reminder_id = ${PROVED_AS}
    where r.account_id = ${ctx.accountId} and r.id = ${id}`
  return certificateOf(ctx, which, `traxx-certificate-${id}.pdf`)
}

/**
 * All that is proved of a customer's answer, as a PDF.
 * @throws CERTIFICATE_NOT_FOUND, also for somebody else's answer, and for one that an archive has brought
 */
export function getAnswerCertificate(ctx: ReaderContext, { id }: ById): Promise<CertificateFile> {
  const which = sql`
    from customer_answers w join proofs p on p.account_id = w.account_id and p.answer_id = w.id
    where w.account_id = ${ctx.accountId} and w.id = ${id} and not w.is_imported`
  return certificateOf(ctx, which, `traxx-certificate-answer-${id}.pdf`)
}

/** `which` selects proofs `p`. */
function certificateOf(ctx: ReaderContext, which: Sql, name: string): Promise<CertificateFile> {
  return ctx.limits.during('previews', ctx.accountId, async () => {
    const proved = await readProved(ctx, which)
    if (proved.length === 0) throw new AppError('CERTIFICATE_NOT_FOUND')
    // Loaded with the first certificate, because it takes a while.
    const { certificatePdf } = await import('#shared/certificates/certificate-pdf.ts')
    const bytes = await certificatePdf({ format: 'traxx-certificate-1', proved })
    return { name, bytes }
  })
}

async function readProved({ read }: ReaderContext, which: Sql) {
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
