import { buffer } from 'node:stream/consumers'
import { storeLogo } from '#server/company/logo.service.ts'
import type { ReaderContext } from '#server/context.ts'
import { readInstallation } from '#server/files/files.service.ts'
import { discard, storePdf, type NewPdf } from '#server/files/store-pdf.ts'
import { chunksOf } from '#server/limits/in-parallel.ts'
import { allRows, type OpenArchive } from './archive-reader.ts'
import { LogoRow, PdfRow } from './reader-output.ts'
import type { StoredFiles } from './write-archive.ts'

const AT_ONCE = 4

/**
 * Stores the PDFs and the logo of an archive, before any row points at them. If one fails, the others are removed.
 * @throws PDF_UPLOAD_FAILED, LOGO_UPLOAD_FAILED
 */
export async function storeFiles(ctx: ReaderContext, archive: OpenArchive): Promise<StoredFiles> {
  const pdfs = new Map<number, NewPdf>()
  try {
    const installation = await readInstallation(ctx.db.system)
    for (const group of chunksOf(await allRows(archive, 'pdfs'), AT_ONCE)) {
      const stored = await Promise.allSettled(
        group.map(async (row) => {
          const { contract, entry } = PdfRow.parse(row)
          pdfs.set(contract, await storePdf(ctx, archive.contentOf(entry), installation))
        }),
      )
      for (const one of stored) if (one.status === 'rejected') throw one.reason
    }
    const [logo] = await allRows(archive, 'logo')
    return { pdfs, logo: logo && (await storeLogo(ctx, await buffer(archive.contentOf(LogoRow.parse(logo).entry)))) }
  } catch (error) {
    await removeFiles(ctx, { pdfs, logo: undefined })
    throw error
  }
}

/** Removes files that nothing will point at. What fails is left to the sweep. */
export async function removeFiles(ctx: ReaderContext, { pdfs, logo }: StoredFiles): Promise<void> {
  for (const { key } of pdfs.values()) await discard(ctx, key)
  if (logo) await discard(ctx, logo)
}
