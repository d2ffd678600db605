/** The largest PDF that a contract can have: 20 MB. */
export const MAX_PDF_BYTES = 20 * 1024 * 1024

/** PDF readers look for the header in the first 1,024 bytes, because some programs write lines before it. */
export const PDF_HEAD_BYTES = 1024

/** Chromium's viewer looks for the trailer in the last bytes. */
export const PDF_TAIL_BYTES = 4096

const ENDS = /startxref\s+(\d+)\s*%%EOF/g

/** Where the PDF of a contract is read, replaced and deleted. */
export function pdfAddress(contractId: number): string {
  return `/contracts/${contractId}/pdf`
}

/** Whether a file that begins with these bytes is a PDF; its name and declared type prove nothing. */
export function beginsAsPdf(head: Uint8Array): boolean {
  return textOf(head.subarray(0, PDF_HEAD_BYTES)).includes('%PDF-')
}

/** Whether a PDF of this size, with these last bytes, is complete: its trailer gives an offset within the file. */
export function endsAsPdf(tail: Uint8Array, size: number): boolean {
  const offsets = [...textOf(tail.subarray(-PDF_TAIL_BYTES)).matchAll(ENDS)].map(([, offset]) => Number(offset))
  // A linearized PDF has an offset of 0 in its first part, long before its end.
  return offsets.some((offset) => offset > 0 && offset < size)
}

function textOf(bytes: Uint8Array): string {
  return new TextDecoder('latin1').decode(bytes)
}
