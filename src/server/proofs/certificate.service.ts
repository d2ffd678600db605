import sql, { raw } from 'sql-template-tag'
import { z } from 'zod'
import { StoredRecord } from '#shared/certificates/certificate.ts'
import { hashParts, type ProvedRecord } from '#shared/domain/proof-chain.ts'
import { AppError } from '#shared/errors.ts'
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

export interface CertificateFile {
  name: string
  bytes: Uint8Array
}

/** All that is proved of a message, as a PDF. @throws CERTIFICATE_NOT_FOUND, also for somebody else's message */
export async function getCertificate(ctx: ReaderContext, { id }: ByMessage): Promise<CertificateFile> {
  return ctx.limits.during('previews', ctx.accountId, async () => {
    const proved = await readProved(ctx, id)
    if (proved.length === 0) throw new AppError('CERTIFICATE_NOT_FOUND')
    // Loaded with the first certificate, because it takes a while.
    const { certificatePdf } = await import('#shared/certificates/certificate-pdf.ts')
    const bytes = await certificatePdf({ format: 'traxx-certificate-1', proved })
    return { name: `traxx-certificate-${id}.pdf`, bytes }
  })
}

async function readProved({ read, accountId }: ReaderContext, id: number) {
  const statement = sql`
    select ${LINK}, ${RECORD}
    from reminders r join proofs p on p.account_id = r.account_id and p.reminder_id = ${PROVED_AS}
      join proof_records q on q.account_id = p.account_id and q.number = p.number
    where r.account_id = ${accountId} and r.id = ${id} order by p.number`
  const rows = await read(statement, ProvedRow)
  return Promise.all(rows.map(provedOf))
}

async function provedOf({ record: text, ...link }: z.output<typeof ProvedRow>) {
  const record = StoredRecord.parse(JSON.parse(text))
  return { record, partHashes: await hashParts(record), link } satisfies ProvedRecord
}
