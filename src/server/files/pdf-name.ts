const LONGEST_NAME = 100

// Characters that file systems refuse, that end a header, or that reverse the text to disguise a name.
const UNSAFE = /[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Zl}\p{Zp}"*/:<>?\\|]+/gu

/** The file name of a downloaded PDF: valid on every system, whatever the customer's name. */
export function pdfName(customerName: string, contractId: number): string {
  const plain = customerName.toWellFormed().replaceAll(UNSAFE, ' ').replaceAll(/\s+/g, ' ').trim()
  const short = Array.from(plain).slice(0, LONGEST_NAME).join('').trim()
  return `${short.replace(/^\.+/, '')} contract ${contractId}.pdf`.trim()
}
