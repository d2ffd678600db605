import { beginsAsPdf, endsAsPdf, MAX_PDF_BYTES, PDF_HEAD_BYTES, PDF_TAIL_BYTES } from '#shared/domain/contract-pdf.ts'
import { AppError } from '#shared/errors.ts'

type Bytes = AsyncIterable<Uint8Array>

/**
 * Passes a PDF through as it arrives, and stops at the first byte that shows it is not a PDF or too large.
 * @throws PDF_TOO_LARGE, NOT_A_PDF, PDF_EMPTY, PDF_INCOMPLETE
 */
export function checkedPdf(bytes: Bytes): Bytes {
  return whole(begun(limited(bytes)))
}

async function* limited(bytes: Bytes) {
  let size = 0
  for await (const chunk of bytes) {
    size += chunk.length
    if (size > MAX_PDF_BYTES) throw new AppError('PDF_TOO_LARGE')
    yield chunk
  }
}

async function* begun(bytes: Bytes) {
  let head: Uint8Array | undefined = new Uint8Array()
  for await (const chunk of bytes) {
    if (!head) {
      yield chunk
      continue
    }
    head = Buffer.concat([head, chunk])
    if (beginsAsPdf(head)) {
      yield head
      head = undefined
    } else if (head.length >= PDF_HEAD_BYTES) throw new AppError('NOT_A_PDF')
  }
  if (head) throw new AppError(head.length === 0 ? 'PDF_EMPTY' : 'NOT_A_PDF')
}

async function* whole(bytes: Bytes) {
  let size = 0
  let tail = new Uint8Array()
  for await (const chunk of bytes) {
    size += chunk.length
    tail = Buffer.concat([tail, chunk.subarray(-PDF_TAIL_BYTES)]).subarray(-PDF_TAIL_BYTES)
    yield chunk
  }
  if (!endsAsPdf(tail, size)) throw new AppError('PDF_INCOMPLETE')
}
