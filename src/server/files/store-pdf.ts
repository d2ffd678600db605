import { randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import { AppError } from '#shared/errors.ts'
import type { RequestContext } from '#server/context.ts'
import { isServiceAway } from '#server/outside/circuit.ts'
import { checkedPdf } from './checked-pdf.ts'

/** A file that is stored, and its size. */
export interface NewPdf {
  key: string
  bytes: number
}

/**
 * Stores a PDF that no contract points at yet, under another name until it is complete. Refused files are deleted.
 * @throws NOT_A_PDF, PDF_TOO_LARGE, PDF_EMPTY, PDF_INCOMPLETE, PDF_UPLOAD_FAILED
 */
export async function storePdf(
  ctx: Pick<RequestContext, 'services' | 'log'>,
  bytes: AsyncIterable<Uint8Array>,
  installation: string,
): Promise<NewPdf> {
  const { files } = ctx.services
  const incoming = `${incomingFolder(installation)}/${randomUUID()}`
  const key = newPdfKey(installation)
  const size = { bytes: 0 }
  try {
    await files.write(incoming, Readable.from(counted(checkedPdf(bytes), size)))
    await files.move(incoming, key)
    return { key, ...size }
  } catch (error) {
    // A storage that is away would have to be waited for again; the sweep removes what is there.
    if (!isServiceAway(error)) await discard(ctx, incoming)
    throw error instanceof AppError ? error : new AppError('PDF_UPLOAD_FAILED', { cause: error })
  }
}

async function* counted(bytes: AsyncIterable<Uint8Array>, size: { bytes: number }): AsyncGenerator<Uint8Array> {
  for await (const chunk of bytes) {
    size.bytes += chunk.length
    yield chunk
  }
}

/** Files that cannot be removed now are left to the sweep. */
export async function discard({ services, log }: Pick<RequestContext, 'services' | 'log'>, key: string): Promise<void> {
  await services.files
    .remove(key)
    .catch((error: unknown) => log.warn({ err: error }, 'a file could not be removed from storage'))
}

/** A name for a new file that cannot be guessed. */
export function newPdfKey(installation: string): string {
  return `${pdfFolder(installation)}/${randomUUID()}.pdf`
}

export function pdfFolder(installation: string): string {
  return `contracts/${installation}`
}

export function incomingFolder(installation: string): string {
  return `incoming/${installation}`
}
