import { LockMode } from '@mikro-orm/core'
import { readRows } from '#server/db/rows.ts'
import type { System } from '#server/db/connections/system.ts'
import sql from 'sql-template-tag'
import { z } from 'zod'
import { pdfAddress } from '#shared/domain/contract-pdf.ts'
import { AppError } from '#shared/errors.ts'
import type { ById } from '#shared/schemas/fields.ts'
import {
  asSubscriber,
  requireSubscriber,
  type ReaderContext,
  type RequestContext,
  type SubscriberContext,
} from '#server/context.ts'
import { ContractEntity } from '#server/contracts/contract.entity.ts'
import { seeingTrash } from '#server/db/trash.ts'
import type { OpenFile } from '#server/storage/file-store.ts'
import { keepPdf, takeKeptPdf } from './kept-pdfs.ts'
import { pdfName } from './pdf-name.ts'
import { discard, storePdf, type NewPdf } from './store-pdf.ts'

const COUNT = new Intl.NumberFormat('en-US')

type ReadingFiles = Pick<ReaderContext, 'read' | 'accountId' | 'services'>

export interface OpenPdf extends OpenFile {
  fileName: string
}

/** A contract's PDF. @throws CONTRACT_NOT_FOUND also for somebody else's, PDF_NOT_FOUND, PDF_LOAD_FAILED */
export async function openPdf(ctx: ReadingFiles, { id }: ById): Promise<OpenPdf> {
  const { path, customerName } = await storedPdf(ctx, id)
  if (!path) throw new AppError('PDF_NOT_FOUND')
  try {
    const file = await ctx.services.files.open(path)
    return { ...file, fileName: pdfName(customerName, id) }
  } catch (error) {
    // The PDF may have been replaced in between.
    const now = await storedPdf(ctx, id)
    if (now.path !== path) return openPdf(ctx, { id })
    throw new AppError('PDF_LOAD_FAILED', { cause: error })
  }
}

/**
 * Sets a contract's PDF and replaces an earlier one. The bytes are stored as they arrive, outside any transaction; the
 * contract points at the file once it is complete. Refused files are deleted, and an upload of `leastBytes` for which there
 * is no room is not read.
 * @throws CONTRACT_NOT_FOUND also for somebody else's, NOT_A_PDF, PDF_TOO_LARGE, PDF_EMPTY, PDF_INCOMPLETE,
 * PDF_UPLOAD_FAILED, PDFS_FULL, TOO_MANY_AT_ONCE
 */
export async function attachPdf(ctx: RequestContext, pdf: UploadedPdf, bytes: AsyncIterable<Uint8Array>) {
  const { accountId } = requireSubscriber(ctx)
  return ctx.limits.during('pdfUploads', accountId, () => storeAndPoint(ctx, pdf, bytes))
}

interface UploadedPdf extends ById {
  /** Its smallest possible size, if known before it arrives. */
  leastBytes?: number
}

async function storeAndPoint(
  ctx: RequestContext,
  { id, leastBytes = 0 }: UploadedPdf,
  bytes: AsyncIterable<Uint8Array>,
) {
  const reader = requireSubscriber(ctx)
  const { installation } = await storedPdf(reader, id)
  const read = ctx.db.readAs(reader.accountId, { trash: true })
  await refuseFull({ ...reader, read }, { id, bytes: leastBytes })
  const pdf = await storePdf(ctx, bytes, installation)
  try {
    await asSubscriber(ctx, async (subscriber) => {
      await lockPdfs(subscriber)
      await seeingTrash(subscriber.write, () => refuseFull(subscriber, { id, bytes: pdf.bytes }))
      await pointAt(subscriber, id, pdf)
    })
  } catch (error) {
    // After any other failure the file is left to the sweep: the commit may have succeeded.
    if (error instanceof AppError) await discard(ctx, pdf.key)
    throw error
  }
  return { pdfPath: pdfAddress(id) }
}

/** It can be restored for an hour. @throws CONTRACT_NOT_FOUND also for somebody else's, PDF_NOT_FOUND */
export async function removePdf(ctx: SubscriberContext, { id }: ById): Promise<void> {
  const earlier = await pointAt(ctx, id, null)
  if (!earlier) throw new AppError('PDF_NOT_FOUND')
}

/**
 * Gives a contract back the PDF that was deleted or replaced within the last hour. One that took its place is deleted.
 * @throws CONTRACT_NOT_FOUND also for somebody else's, PDF_NOT_KEPT, PDFS_FULL
 */
export async function restorePdf(ctx: SubscriberContext, { id }: ById) {
  const { services, afterCommit } = ctx
  await lockPdfs(ctx)
  const contract = await lockedContract(ctx, id)
  const kept = await takeKeptPdf(ctx, id)
  if (!kept) throw new AppError('PDF_NOT_KEPT')
  await seeingTrash(ctx.write, () => refuseFull(ctx, { id, bytes: kept.bytes ?? 0 }))
  const { pdfPath: replaced } = contract
  ctx.em.assign(contract, { pdfPath: kept.path, pdfBytes: kept.bytes })
  await ctx.em.flush()
  if (replaced) afterCommit(() => services.files.remove(replaced))
  return { pdfPath: pdfAddress(id) }
}

/** The database's name is part of its files' names, so that databases leave each other's files alone. */
export async function readInstallation(system: System): Promise<string> {
  const [row] = await readRows(system, sql`select installation()`, InstallationRow)
  if (!row) throw new Error('The database does not say its name')
  return row.installation
}

const InstallationRow = z.object({ installation: z.string() })
const StoredPdf = z.object({ path: z.string().nullable(), customerName: z.string(), installation: z.string() })

async function storedPdf(
  { read, accountId }: Omit<ReadingFiles, 'services'>,
  id: number,
): Promise<z.output<typeof StoredPdf>> {
  const statement = sql`
    select k.pdf_path as path, c.name as "customerName", installation() as installation
    from contracts k join customers c on c.account_id = k.account_id and c.id = k.customer_id
    where k.account_id = ${accountId} and k.id = ${id}`
  const [found] = await read(statement, StoredPdf)
  if (!found) throw new AppError('CONTRACT_NOT_FOUND')
  return found
}

/** Concurrent uploads wait here, so that the quota holds. */
async function lockPdfs({ write, accountId }: SubscriberContext): Promise<void> {
  await write(sql`select pg_advisory_xact_lock(hashtextextended('pdfs', ${accountId}))`)
}

const FilesRow = z.object({ count: z.int(), bytes: z.int() })

/** PDFs in the trash count, so `read` has to see them. @throws PDFS_FULL if the quotas leave no room for one of this size */
async function refuseFull(ctx: ReaderContext, { id, bytes }: ById & { bytes: number }): Promise<void> {
  const statement = sql`
    select count(*)::int as count, coalesce(sum(pdf_bytes), 0)::float8 as bytes from contracts
    where account_id = ${ctx.accountId} and id <> ${id} and pdf_path is not null`
  const [others] = await ctx.read(statement, FilesRow)
  if (others) refuseMorePdfs(ctx, { count: others.count + 1, bytes: others.bytes + bytes })
}

/** @throws PDFS_FULL if an account cannot have this many PDFs of this size together */
export function refuseMorePdfs(
  { services }: Pick<RequestContext, 'services'>,
  { count, bytes }: z.output<typeof FilesRow>,
) {
  const { pdfs, pdfBytes } = services.storage.quotas
  if (count <= pdfs && bytes <= pdfBytes) return
  throw new AppError('PDFS_FULL', { values: { count: COUNT.format(pdfs), size: sizeText(pdfBytes) } })
}

/** Sets a contract's PDF, and keeps its earlier file for undoing. Returns the earlier key. */
async function pointAt(ctx: SubscriberContext, id: number, pdf: NewPdf | null) {
  const contract = await lockedContract(ctx, id)
  const { pdfPath: path, pdfBytes: bytes = null } = contract
  ctx.em.assign(contract, { pdfPath: pdf?.key ?? null, pdfBytes: pdf?.bytes ?? null })
  await ctx.em.flush()
  if (path) await keepPdf(ctx, id, { path, bytes })
  return path
}

async function lockedContract({ em, accountId }: SubscriberContext, id: number) {
  const contract = await em.findOne(ContractEntity, { id, accountId }, { lockMode: LockMode.PESSIMISTIC_WRITE })
  if (!contract) throw new AppError('CONTRACT_NOT_FOUND')
  return contract
}

function sizeText(bytes: number): string {
  const megabytes = Math.round(bytes / 1024 ** 2)
  return megabytes < 1024 ? `${megabytes} MB` : `${COUNT.format(megabytes / 1024)} GB`
}

/** The prefix of this database's logos. */
export function logoFolder(installation: string): string {
  return `logos/${installation}`
}
