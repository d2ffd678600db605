import { PDFDocument, StandardFonts, type PDFImage } from '@cantoo/pdf-lib'
import { ALWAYS_SEEN, FOLDS } from '#shared/domain/envelope-window.ts'
import type { LogoType } from '#shared/domain/logo.ts'
import { LEADING, linesOf, PageWriter, type Style } from '#shared/pdf/page-writer.ts'
import { partText, type LetterPart } from '#server/mail/letter.ts'
import { plainPng } from './plain-png.ts'

/** A letter on paper. */
export interface PaperLetter {
  sender: { name: string; address: string | null; email: string | null; logo: Logo | null }
  to: { name: string; address: string }
  date: string
  subject: string
  parts: readonly LetterPart[]
}

export interface Logo {
  type: LogoType
  bytes: Uint8Array
}

/**
 * A letter as a PDF, on US Letter, whose address shows through the window of a #10 envelope when the sheet is folded in thirds.
 * The same letter has the same bytes. Undefined if name and address do not fit the window.
 */
export async function letterPdf(letter: PaperLetter): Promise<Uint8Array | undefined> {
  const document = await PDFDocument.create({ updateMetadata: false })
  const [regular, bold] = await Promise.all([
    document.embedFont(StandardFonts.Helvetica),
    document.embedFont(StandardFonts.HelveticaBold),
  ])
  const styles: Styles = {
    text: { font: regular, size: 10.5, isLatin: true },
    subject: { font: bold, size: 10.5, isLatin: true },
    sender: { font: regular, size: 9, isLatin: true },
    company: { font: bold, size: 10, isLatin: true },
    dim: { font: regular, size: 9.5, gray: 0.4, isLatin: true },
  }
  const address = addressThatFits(letter.to, styles.text)
  if (!address) return undefined
  const writer = new PageWriter(document)
  const logo = letter.sender.logo && (await embedded(document, letter.sender.logo))
  if (logo) writer.pictureAt(logo, LOGO, logo.scaleToFit(LOGO.width, LOGO.height))
  const end = writeSender(writer, letter.sender, styles)
  for (const { text, top, style } of address) writer.lineAt(text, { left: ALWAYS_SEEN.left, top }, style)
  for (const fold of FOLDS) writer.foldAt(fold)
  writer.continueAt(Math.max(BODY_TOP, end + 24))
  writeBody(writer, letter, styles)
  if (writer.pages.length > 1) writer.footer((page, pages) => `Page ${page} of ${pages}`, styles.dim)
  document.setTitle(letter.subject)
  document.setProducer('TRAXX')
  return document.save({ useObjectStreams: false, updateFieldAppearances: false })
}

type Styles = Record<'text' | 'subject' | 'sender' | 'company' | 'dim', Style>

/** Above what the window may show. */
const LOGO = { left: 54, top: 40, width: 220, height: 64 }
/** To the right of it. */
const SENDER = { left: 400, top: 50, width: 158 }
/** Below it. */
const BODY_TOP = 284

/** A picture that cannot be read is left out: the letter is complete without. */
async function embedded(document: PDFDocument, { type, bytes }: Logo): Promise<PDFImage | undefined> {
  try {
    if (type === 'jpg') return await document.embedJpg(bytes)
    const plain = plainPng(bytes)
    return plain && (await document.embedPng(plain))
  } catch {
    return undefined
  }
}

/** Returns how far it reaches, from the upper edge. */
function writeSender(writer: PageWriter, { name, address, email }: PaperLetter['sender'], styles: Styles): number {
  const lines = [
    ...linesOf(name, styles.company, SENDER.width).map((text) => ({ text, style: styles.company })),
    ...[address, email].flatMap((text) =>
      text ? linesOf(text, styles.sender, SENDER.width).map((line) => ({ text: line, style: styles.sender })) : [],
    ),
  ]
  let { top } = SENDER
  for (const { text, style } of lines) {
    writer.lineAt(text, { left: SENDER.left, top }, style)
    top += style.size * LEADING
  }
  return top
}

interface AddressLine {
  text: string
  /** Of its baseline. */
  top: number
  style: Style
}

/** From the largest; post offices ask for 8 points or more. */
const ADDRESS_SIZES = [10.5, 10, 9.5, 9, 8.5, 8]
/** Of the size: between baselines, and above and below them, accents included. */
const [BETWEEN, ABOVE, BELOW] = [1.15, 0.95, 0.22]

/** The lines of an address, as large as they fit; if need be with several of them in one. */
function addressThatFits({ name, address }: PaperLetter['to'], style: Style): AddressLine[] | undefined {
  const rows = address.split('\n').map((row) => row.trim())
  const given = [name, ...rows.filter((row) => row !== '')].join('\n')
  const joined = `${name}\n${rows.filter((row) => row !== '').join(', ')}`
  for (const text of [given, joined]) {
    for (const size of ADDRESS_SIZES) {
      const placed = placedIn(text, { ...style, size })
      if (placed) return placed
    }
  }
  return undefined
}

/** In the middle between the upper and the lower edge of what is always seen. */
function placedIn(text: string, style: Style): AddressLine[] | undefined {
  const { left, right, top, bottom } = ALWAYS_SEEN
  const { size } = style
  const lines = linesOf(text, style, right - left)
  const height = ((lines.length - 1) * BETWEEN + ABOVE + BELOW) * size
  if (height > bottom - top) return undefined
  const first = top + (bottom - top - height) / 2 + ABOVE * size
  return lines.map((line, index) => ({ text: line.trimEnd(), top: first + index * BETWEEN * size, style }))
}

function writeBody(writer: PageWriter, { date, subject, parts }: PaperLetter, styles: Styles): void {
  writer.text(date, { style: styles.text })
  writer.space(12)
  writer.text(subject, { style: styles.subject })
  for (const part of parts) {
    writer.space(8)
    if ('facts' in part) for (const fact of part.facts) writer.fact(fact, { label: styles.dim, value: styles.text })
    else writer.text(partText(part), { style: styles.text })
  }
}
