import type { Readable } from 'node:stream'
import sql from 'sql-template-tag'
import { AppError } from '#shared/errors.ts'
import type { ById } from '#shared/schemas/fields.ts'
import type { ReaderContext } from '#server/context.ts'

/** A contract's PDF as a stream. @throws CONTRACT_NOT_FOUND also for somebody else's, PDF_NOT_FOUND */
export async function openPdf({ read, accountId, services }: ReaderContext, { id }: ById): Promise<OpenPdf> {
  const [contract] = await read<{ path: string | null }>(
    sql`select pdf_path as path from contracts where account_id = ${accountId} and id = ${id}`,
  )
  if (!contract) throw new AppError('CONTRACT_NOT_FOUND')
  if (!contract.path) throw new AppError('PDF_NOT_FOUND')
  return { bytes: await services.files.open(contract.path), fileName: `contract-${id}.pdf` }
}

interface OpenPdf {
  bytes: Readable
  fileName: string
}
