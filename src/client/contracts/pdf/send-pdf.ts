import { beginsAsPdf, MAX_PDF_BYTES, PDF_HEAD_BYTES, pdfAddress } from '#shared/domain/contract-pdf.ts'
import { REFUSALS } from '#shared/errors.ts'
import type { GetToken } from '#client/api/rest-request.ts'
import { RestFailure } from '#client/api/rest-failure.ts'
import { upload } from '#client/api/upload.ts'

interface PdfToSend {
  contractId: number
  /** The chosen or dropped files, usually one PDF. */
  files: readonly File[]
  getToken: GetToken
  signal: AbortSignal
  onProgress: (sent: number) => void
}

/**
 * Uploads a contract's PDF, unless the server would refuse it.
 * @throws RestFailure, also in that case, and the signal's reason if it was aborted
 */
export async function sendPdf({ contractId, files, ...sending }: PdfToSend): Promise<void> {
  const file = await checkedFile(files)
  await upload({ path: pdfAddress(contractId), field: 'pdf', file, ...sending })
}

/** The server's own checks, as far as they can be made without reading the whole file. */
async function checkedFile([file, ...more]: readonly File[]): Promise<File> {
  if (more.length > 0) throw refused('SEVERAL_PDFS')
  if (!file) throw refused('NOT_A_PDF')
  if (file.size === 0) throw refused('PDF_EMPTY')
  if (!beginsAsPdf(await headOf(file))) throw refused('NOT_A_PDF')
  if (file.size > MAX_PDF_BYTES) throw refused('PDF_TOO_LARGE')
  return file
}

function refused(key: 'NOT_A_PDF' | 'SEVERAL_PDFS' | 'PDF_EMPTY' | 'PDF_TOO_LARGE'): RestFailure {
  return RestFailure.refusedHere(key, REFUSALS[key].message)
}

/** Empty if it cannot be read, such as a dropped folder. */
async function headOf(file: File): Promise<Uint8Array> {
  const head = file.slice(0, PDF_HEAD_BYTES).arrayBuffer()
  return new Uint8Array(await head.catch(() => new ArrayBuffer(0)))
}
