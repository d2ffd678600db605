import { grayscale, type PDFDocument, type PDFFont, type PDFImage, type PDFPage } from '@cantoo/pdf-lib'
import { inLatin } from '#shared/domain/latin-text.ts'

/** US Letter, in points. */
const [WIDTH, HEIGHT] = [612, 792]
const MARGIN = 54
const FOOTER = 30
const LINE_WIDTH = WIDTH - 2 * MARGIN

export interface Style {
  font: PDFFont
  size: number
  /** How dark it is: 0 is black. */
  gray?: number
  /** Letters that the font lacks are spelled with those it has, where that is known. A certificate shows which they are. */
  isLatin?: boolean
}

/** Where something is on a page, in points from its left and its upper edge. */
interface Spot {
  left: number
  top: number
}

interface Place {
  style: Style
  /** From the left margin. */
  indent?: number
  width?: number
}

/** Writes lines onto pages from top to bottom, and begins a new page where one is full. */
export class PageWriter {
  readonly #document: PDFDocument
  readonly #pages: PDFPage[] = []
  #y = 0

  constructor(document: PDFDocument) {
    this.#document = document
    this.#addPage()
  }

  get pages(): readonly PDFPage[] {
    return this.#pages
  }

  /** Begins a new page if less than so many points are left. */
  keep(points: number): void {
    if (this.#y - points < MARGIN + FOOTER) this.#addPage()
  }

  space(points: number): void {
    this.#y -= points
  }

  /** Goes on so many points below the page's upper edge, if that is further down. */
  continueAt(top: number): void {
    this.#y = Math.min(this.#y, HEIGHT - top)
  }

  /** One line whose baseline is at a spot, wherever the text is. */
  lineAt(text: string, { left, top }: Spot, { font, size, gray = 0 }: Style): void {
    this.#page.drawText(text, { x: left, y: HEIGHT - top, font, size, color: grayscale(gray) })
  }

  /** A picture whose upper left corner is at a spot. */
  pictureAt(picture: PDFImage, { left, top }: Spot, { width, height }: { width: number; height: number }): void {
    this.#page.drawImage(picture, { x: left, y: HEIGHT - top - height, width, height })
  }

  /** A short line near the left edge, where the sheet is folded. */
  foldAt(top: number): void {
    const y = HEIGHT - top
    const ends = { start: { x: 18, y }, end: { x: 30, y } }
    this.#page.drawLine({ ...ends, thickness: 0.5, color: grayscale(0.75) })
  }

  /** Paragraphs, broken into lines of the width. */
  text(text: string, place: Place): void {
    const { style, indent = 0, width = LINE_WIDTH - indent } = place
    for (const line of linesOf(text, style, width)) {
      this.#down(style.size * LEADING)
      this.#draw(line, { style, indent })
    }
  }

  /** A label, and beside it a value that may take several lines. */
  fact(
    [label, value]: readonly [string, string],
    { label: dim, value: plain }: Record<'label' | 'value', Style>,
  ): void {
    const [labels, values] = [linesOf(label, dim, LABEL_WIDTH - 8), linesOf(value, plain, LINE_WIDTH - LABEL_WIDTH)]
    const count = Math.max(labels.length, values.length)
    const height = Math.max(dim.size, plain.size) * LEADING
    for (let index = 0; index < count; index += 1) {
      this.#down(height)
      this.#draw(labels[index], { style: dim })
      this.#draw(values[index], { style: plain, indent: LABEL_WIDTH })
    }
  }

  rule(): void {
    this.#down(14)
    const ends = { start: { x: MARGIN, y: this.#y }, end: { x: WIDTH - MARGIN, y: this.#y } }
    this.#page.drawLine({ ...ends, thickness: 0.5, color: grayscale(0.75) })
    this.space(6)
  }

  footer(textOf: (page: number, pages: number) => string, { font, size, gray = 0 }: Style): void {
    for (const [index, page] of this.#pages.entries()) {
      const text = textOf(index + 1, this.#pages.length)
      page.drawText(text, { x: MARGIN, y: MARGIN - 12, font, size, color: grayscale(gray) })
    }
  }

  get #page(): PDFPage {
    const page = this.#pages.at(-1)
    if (!page) throw new Error('A writer has a page')
    return page
  }

  /** Goes down by a line. */
  #down(height: number): void {
    this.keep(height)
    this.#y -= height
  }

  #draw(text: string | undefined, { style: { font, size, gray = 0 }, indent = 0 }: Omit<Place, 'width'>): void {
    if (text) this.#page.drawText(text, { x: MARGIN + indent, y: this.#y, font, size, color: grayscale(gray) })
  }

  #addPage(): void {
    this.#pages.push(this.#document.addPage([WIDTH, HEIGHT]))
    this.#y = HEIGHT - MARGIN
  }
}

const LABEL_WIDTH = 120
export const LEADING = 1.35

/** A text as it is printed in lines of this width. */
export function linesOf(text: string, style: Style, width: number): string[] {
  return text.split('\n').flatMap((paragraph) => wrapped(printable(paragraph, style), style, width))
}

/** Breaks between words, and within a word that is longer than a line. Every character stays, also spaces at a break. */
function wrapped(paragraph: string, { font, size }: Style, width: number): string[] {
  const lines: string[] = []
  let line = ''
  const fits = (text: string) => font.widthOfTextAtSize(text.trimEnd(), size) <= width
  for (const word of paragraph.match(/\S+\s*|\s+/g) ?? []) {
    if (fits(line + word)) {
      line += word
      continue
    }
    if (line !== '') lines.push(line)
    line = ''
    for (const character of word) {
      if (fits(line + character)) line += character
      else {
        lines.push(line)
        line = character
      }
    }
  }
  return [...lines, line]
}

const known = new WeakMap<PDFFont, Set<number>>()

/** With the codes of characters that the font does not have. */
function printable(given: string, { font, isLatin = false }: Style): string {
  const text = isLatin ? inLatin(given) : given
  const characters = known.get(font) ?? new Set(font.getCharacterSet())
  known.set(font, characters)
  return Array.from(text.replaceAll('\t', '    '), (character) => {
    const code = character.codePointAt(0) ?? 0
    return characters.has(code) ? character : `[U+${code.toString(16).toUpperCase().padStart(4, '0')}]`
  }).join('')
}
