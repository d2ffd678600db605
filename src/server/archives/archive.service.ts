import { AppError } from '#shared/errors.ts'
import { LARGEST_ARCHIVE_BYTES, type ImportArchive } from '#shared/schemas/archives.ts'
import { asSubscriber, requireSubscriber, type RequestContext, type SubscriberContext } from '#server/context.ts'
import { refuseMoreRows } from '#server/customers/row-quota.ts'
import { isUnstorable, isViolation } from '#server/db/violations.ts'
import { refuseMorePdfs } from '#server/files/files.service.ts'
import { SETTLED_MS } from '#server/files/sweep-files.ts'
import { saveUpload, type StoredFile } from '#server/imports/sheet/upload-file.ts'
import { archiveQueue, listArchive, openArchive, type OpenArchive } from './archive-reader.ts'
import { removeFiles, storeFiles } from './store-files.ts'
import { archiveDisk, reserving } from './disk-budget.ts'
import { refuseUsed, writeArchive, type ArchiveResult, type StoredFiles } from './write-archive.ts'

export interface ArchiveUpload {
  bytes: AsyncIterable<Uint8Array>
  answers: ImportArchive
  /** Aborts when the client disconnects: what has not begun to be written then gives up. */
  signal: AbortSignal
}

/** The sweep of files must not take PDFs that are about to be pointed at. */
const LONGEST_STORING_MS = SETTLED_MS / 2
const NO_FILES: StoredFiles = { pdfs: new Map(), logo: undefined }

/**
 * Imports the archive of an account into one without customers and contracts: all of it, or nothing. A preview does the
 * same and rolls it back, so that it says exactly what an import would bring; only files are not stored.
 * @throws ARCHIVE_…, ACCOUNT_FULL, PDFS_FULL, PDF_UPLOAD_FAILED, LOGO_UPLOAD_FAILED, TOO_MANY_REQUESTS,
 * TOO_MANY_AT_ONCE, and NOT_SIGNED_IN if the account is deleted meanwhile
 */
export async function importArchive(
  ctx: RequestContext,
  { bytes, answers, signal }: ArchiveUpload,
): Promise<ArchiveResult> {
  const reader = requireSubscriber(ctx)
  const { accountId } = reader
  return ctx.limits.during('archives', accountId, async () => {
    await refuseUsed(reader)
    using reservation = archiveDisk.reserve()
    const saved = saveUpload(reserving(reservation, bytes), { content: 'upload', mostBytes: LARGEST_ARCHIVE_BYTES })
    await using upload = await saved.catch(refuse)
    // Nobody has to wait for a file that is refused by its directory.
    const { pdfs, pdfBytes } = await listArchive(upload.stored)
    refuseMorePdfs(reader, { count: pdfs.size, bytes: pdfBytes })
    const leave = await archiveQueue.enter({ accountId, signal })
    try {
      return await readAndWrite(ctx, upload.stored, { answers, signal })
    } finally {
      leave()
    }
  })
}

function refuse(error: unknown): never {
  const isTooLarge = error instanceof AppError && error.key === 'IMPORT_TOO_LARGE'
  throw isTooLarge ? new AppError('ARCHIVE_FILE_TOO_LARGE', { cause: error }) : error
}

async function readAndWrite(
  ctx: RequestContext,
  stored: StoredFile,
  { answers, signal }: Pick<ArchiveUpload, 'answers' | 'signal'>,
): Promise<ArchiveResult> {
  const reader = requireSubscriber(ctx)
  await using archive = await openArchive(stored, { accountId: reader.accountId, signal })
  const { customers, contracts, inTrash, pdfs } = archive.summary
  await refuseMoreRows(reader, customers + contracts + inTrash)
  refuseMorePdfs(reader, pdfs)
  const isMuted = answers.reminders === 'off'
  // Awaited here, while the archive is open.
  if (answers.preview) return await previewArchive(ctx, archive, isMuted)
  // One that cannot be read does not count.
  await ctx.limits.take('importedArchives', reader.accountId)
  return await write(ctx, archive, isMuted)
}

/** Leaves a transaction without its changes. */
class RolledBack extends Error {
  readonly result: ArchiveResult

  constructor(result: ArchiveResult) {
    super('The preview was rolled back')
    this.result = result
  }
}

/** What an import of an archive would bring. @throws ARCHIVE_ACCOUNT_USED, ARCHIVE_CONTRADICTS_ITSELF */
export async function previewArchive(
  ctx: RequestContext,
  archive: OpenArchive,
  isMuted: boolean,
): Promise<ArchiveResult> {
  try {
    await inTransaction(ctx, async (subscriber) => {
      throw new RolledBack(await writeArchive(subscriber, archive, { files: NO_FILES, isMuted, isPreview: true }))
    })
  } catch (error) {
    if (error instanceof RolledBack) return error.result
    throw error
  }
  throw new Error('A preview ends by being rolled back')
}

async function write(ctx: RequestContext, archive: OpenArchive, isMuted: boolean): Promise<ArchiveResult> {
  const reader = requireSubscriber(ctx)
  const begun = performance.now()
  const files = await storeFiles(reader, archive)
  try {
    return await inTransaction(ctx, async (subscriber) => {
      const result = await writeArchive(subscriber, archive, { files, isMuted, isPreview: false })
      if (performance.now() - begun > LONGEST_STORING_MS) throw new AppError('ARCHIVE_TOO_SLOW')
      return result
    })
  } catch (error) {
    // After any other failure files are left to the sweep: the commit may have succeeded.
    if (error instanceof AppError) await removeFiles(reader, files)
    throw error
  }
}

const VIOLATIONS = ['unique', 'foreign key', 'check'] as const

/** @throws ARCHIVE_ACCOUNT_USED if something else has been added meanwhile, ARCHIVE_CONTRADICTS_ITSELF */
async function inTransaction<T>(ctx: RequestContext, work: (subscriber: SubscriberContext) => Promise<T>): Promise<T> {
  try {
    return await asSubscriber(ctx, work)
  } catch (error) {
    const isOfArchive = isUnstorable(error) || VIOLATIONS.some((kind) => isViolation(error, kind))
    if (!isOfArchive) throw error
    await refuseUsed(requireSubscriber(ctx))
    throw new AppError('ARCHIVE_CONTRADICTS_ITSELF', { cause: error })
  }
}
