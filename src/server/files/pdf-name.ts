const LONGEST_NAME = 100

// What file systems refuse, what ends a header, and what turns the direction of reading, so that names cannot pretend.
const UNSAFE = /[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Zl}\p{Zp}"*/:<>?\\|]+/gu

/** The file name of a downloaded PDF: valid on every system, whatever the customer's name. */
export function pdfName(customerName: string, contractId: number): string {
  const plain = customerName.toWellFormed().replaceAll(UNSAFE, ' ').replaceAll(/\s+/g, ' ').trim()
  const short = Array.from(plain).slice(0, LONGEST_NAME).join('').trim()
  return `${short.replace(/^\.+/, '')} contract ${contractId}.pdf`.trim()
}
