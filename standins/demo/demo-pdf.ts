import type { Day } from '#shared/domain/day.ts'
import { dollars, longDay } from './demo-words.ts'

interface Agreement {
  customerName: string
  /** US dollars. */
  amount: number
  renewalCycle: string
  startDate: Day
  renewalDate: Day
}

/** A one-page service agreement as a PDF. */
export function agreementPdf(agreement: Agreement): Buffer {
  const page = contentOf(agreement)
  return pdfOf([
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 6 0 R ' +
      '/Resources << /Font << /Title 4 0 R /Text 5 0 R >> >> >>',
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica-Bold /Encoding /WinAnsiEncoding >>',
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>',
    `<< /Length ${page.length} >>\nstream\n${page}\nendstream`,
  ])
}

/** Numbers the objects from 1 and adds the table of where each begins. Every character is one byte (Latin 1). */
function pdfOf(objects: readonly string[]): Buffer {
  // The second line tells programs that copy files not to take this for plain text.
  let body = '%PDF-1.4\n%âãÏÓ\n'
  const offsets = objects.map((object, index) => {
    const offset = body.length
    body += `${index + 1} 0 obj\n${object}\nendobj\n`
    return offset
  })
  const size = objects.length + 1
  const entries = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('')
  const table = `xref\n0 ${size}\n0000000000 65535 f \n${entries}`
  const trailer = `trailer\n<< /Size ${size} /Root 1 0 R >>\nstartxref\n${body.length}\n%%EOF\n`
  return Buffer.from(body + table + trailer, 'latin1')
}

function contentOf({ customerName, amount, renewalCycle, startDate, renewalDate }: Agreement): string {
  const lines = [
    `Customer: ${customerName}`,
    `Amount: ${dollars(amount)}, ${renewalCycle}`,
    `Start date: ${longDay(startDate)}`,
    `Renewal date: ${longDay(renewalDate)}`,
    'This agreement renews as stated above unless either party gives notice in writing.',
  ]
  const shown = lines.map((line) => `0 -28 Td ${literal(line)} Tj`).join('\n')
  return `BT\n/Title 24 Tf\n72 700 Td ${literal('Service agreement')} Tj\n/Text 12 Tf\n0 -16 Td\n${shown}\nET`
}

function literal(text: string): string {
  return `(${text.replaceAll(/[\\()]/g, String.raw`\$&`)})`
}
