import { fc } from '@fast-check/vitest'
import { decodePDFRawStream, PDFArray, PDFDocument, PDFRawStream, StandardFonts, type PDFFont } from '@cantoo/pdf-lib'
import { describe, expect, test } from 'vitest'
import { ALWAYS_SEEN, EVER_SEEN, type Area } from '#shared/domain/envelope-window.ts'
import { letterPdf, type PaperLetter } from './letter-pdf.ts'

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

function aLetter(changes: Partial<PaperLetter> = {}): PaperLetter {
  return {
    sender: {
      name: 'Alder Supplies',
      address: '400 Commerce Way\nAlbany, NY 12207',
      email: 'hello@alder.test',
      logo: { type: 'png', bytes: PNG },
    },
    to: { name: 'Harbor Bakery', address: '12 Quay Street\nSuite 4\nBuffalo, NY 14202' },
    date: 'March 10, 2026',
    subject: 'Notice: your contract renews on April 5, 2026',
    parts: [{ text: 'Hello Harbor Bakery,' }, { facts: [['Amount', '$1,200.00 a year']] }],
    ...changes,
  }
}

interface Drawn extends Area {
  text: string
}

/** What is drawn on each page, as its instructions say: where, from the left and the upper edge. */
async function drawnOn(bytes: Uint8Array | undefined): Promise<Drawn[][]> {
  if (!bytes) throw new Error('The address does not fit')
  const file = await PDFDocument.load(bytes)
  const measuring = await PDFDocument.create()
  const fonts = {
    regular: await measuring.embedFont(StandardFonts.Helvetica),
    bold: await measuring.embedFont(StandardFonts.HelveticaBold),
  }
  return file.getPages().map((page) => {
    const contents = page.node.Contents()
    const streams =
      contents instanceof PDFArray ? contents.asArray().map((ref) => file.context.lookup(ref)) : [contents]
    const code = streams
      .flatMap((stream) => (stream instanceof PDFRawStream ? [decodePDFRawStream(stream).decode()] : []))
      .map((part) => Buffer.from(part).toString('latin1'))
      .join('\n')
    return code.split(/\bQ\b/).flatMap((group) => drawnIn(group, fonts, page.getHeight()))
  })
}

/** The encoding of the standard fonts. */
const WIN_ANSI = new TextDecoder('windows-1252')
const NUMBER = String.raw`(-?[\d.]+)`
const TEXT = new RegExp(String.raw`/(\S+) ${NUMBER} Tf[^]*?1 0 0 1 ${NUMBER} ${NUMBER} Tm\s+<([0-9A-F]*)> Tj`)
const LINE = new RegExp(String.raw`${NUMBER} ${NUMBER} m\s+${NUMBER} ${NUMBER} l`)
const PICTURE = /\bDo\b/
const MATRIX = new RegExp(String.raw`${NUMBER} 0 0 ${NUMBER} ${NUMBER} ${NUMBER} cm`, 'g')

function drawnIn(group: string, fonts: Record<'regular' | 'bold', PDFFont>, height: number): Drawn[] {
  const [, font = '', size = '', x = '', y = '', hex = ''] = TEXT.exec(group) ?? []
  if (hex) {
    const text = WIN_ANSI.decode(Buffer.from(hex, 'hex'))
    const width = (font.includes('Bold') ? fonts.bold : fonts.regular).widthOfTextAtSize(text.trimEnd(), Number(size))
    const top = height - Number(y) - 0.95 * Number(size)
    return [{ text, left: Number(x), right: Number(x) + width, top, bottom: height - Number(y) + 0.22 * Number(size) }]
  }
  const [, left = '', from = '', right = '', to = ''] = LINE.exec(group) ?? []
  if (to)
    return [
      { text: '', left: Number(left), right: Number(right), top: height - Number(from), bottom: height - Number(to) },
    ]
  if (!PICTURE.test(group)) return []
  const matrices = [...group.matchAll(MATRIX)].map((match) => match.slice(1).map(Number))
  const [wide = 1, high = 1] = matrices.find(([a, d]) => a !== 1 || d !== 1) ?? []
  const [, , shift = 0, up = 0] = matrices[0] ?? []
  return [{ text: 'picture', left: shift, right: shift + wide, top: height - up - high, bottom: height - up }]
}

const overlaps = (one: Area, other: Area) =>
  one.left < other.right && one.right > other.left && one.top < other.bottom && one.bottom > other.top
const isWithin = (inner: Area, outer: Area) =>
  inner.left >= outer.left - 0.01 &&
  inner.right <= outer.right + 0.01 &&
  inner.top >= outer.top - 0.01 &&
  inner.bottom <= outer.bottom + 0.01

/** Asserts that the address alone shows through the window, whole, wherever the sheet has moved; returns its text. */
async function shownThroughWindow(letter: PaperLetter): Promise<string[]> {
  const [first = []] = await drawnOn(await letterPdf(letter))
  const seen = first.filter((one) => overlaps(one, EVER_SEEN))
  for (const one of seen) expect(isWithin(one, ALWAYS_SEEN), one.text).toBe(true)
  return seen.map(({ text }) => text)
}

describe('a letter', () => {
  test('shows its address through the window, and nothing else', async () => {
    expect(await shownThroughWindow(aLetter())).toEqual([
      'Harbor Bakery',
      '12 Quay Street',
      'Suite 4',
      'Buffalo, NY 14202',
    ])
  })

  test('has the logo, the sender, the date, the subject and the text, and no page number on a single page', async () => {
    const pages = await drawnOn(await letterPdf(aLetter()))
    expect(pages).toHaveLength(1)
    const texts = pages[0]?.map(({ text }) => text) ?? []
    expect(pages[0]).toContainEqual({ text: 'picture', left: 54, right: 118, top: 40, bottom: 104 })
    for (const said of [
      'Alder Supplies',
      'Albany, NY 12207',
      'hello@alder.test',
      'March 10, 2026',
      'Hello Harbor Bakery,',
    ])
      expect(texts).toContain(said)
    expect(texts).toContain('Notice: your contract renews on April 5, 2026')
    expect(texts).toContain('$1,200.00 a year')
    expect(texts.join('\n')).not.toMatch(/Page 1/)
  })

  test('that needs more pages numbers them', async () => {
    const parts = Array.from({ length: 60 }, (_, index) => ({ text: `Paragraph ${index}` }))
    const pages = await drawnOn(await letterPdf(aLetter({ parts })))
    expect(pages.length).toBeGreaterThan(1)
    expect(pages.map((page) => page.at(-1)?.text)).toEqual(pages.map((_, i) => `Page ${i + 1} of ${pages.length}`))
  })

  test('has the same bytes each time', async () => {
    expect(await letterPdf(aLetter())).toEqual(await letterPdf(structuredClone(aLetter())))
  })

  test('joins the lines of an address that would not fit, and is none where they still do not', async () => {
    const rows = ['Attn: Accounts', 'Building 3', 'Floor 12', 'Suite 1200', '12 Quay Street', 'Buffalo, NY 14202']
    const shown = await shownThroughWindow(aLetter({ to: { name: 'Harbor', address: rows.join('\n') } }))
    expect(shown.join(' ')).toBe(`Harbor ${rows.join(', ')}`)
    expect(await letterPdf(aLetter({ to: { name: 'Harbor', address: 'Quay Street '.repeat(40) } }))).toBeUndefined()
  })

  test('spells what its fonts lack with letters that they have', async () => {
    const to = { name: 'Żabka Łódź', address: 'ul. Świętej Gertrudy 5\n31-046 Kraków' }
    expect(await shownThroughWindow(aLetter({ to }))).toEqual(['Zabka Lódz', 'ul. Swietej Gertrudy 5', '31-046 Kraków'])
    const [page = []] = await drawnOn(await letterPdf(aLetter({ parts: [{ text: 'Hello Żabka Łódź,' }] })))
    expect(page.map(({ text }) => text)).toContain('Hello Zabka Lódz,')
  })

  test('is written without a logo that cannot be read', async () => {
    const sender = { ...aLetter().sender, logo: { type: 'png', bytes: Buffer.from('no picture') } as const }
    const [page = []] = await drawnOn(await letterPdf(aLetter({ sender })))
    expect(page.map(({ text }) => text)).not.toContain('picture')
  })

  test('keeps the window clear however long names and addresses are, and whatever characters they have', async () => {
    const word = fc.string({ unit: 'grapheme', maxLength: 40 })
    const lines = (most: number) => fc.array(word, { minLength: 1, maxLength: most }).map((all) => all.join('\n'))
    const letters = fc.record({
      name: fc.string({ minLength: 1, maxLength: 100 }),
      address: lines(6),
      email: fc.string({ maxLength: 250 }),
      to: fc.record({ name: fc.string({ minLength: 1, maxLength: 200 }), address: lines(8) }),
    })
    const property = fc.asyncProperty(letters, async ({ to, ...sender }) => {
      const letter = aLetter({ sender: { ...sender, logo: { type: 'png', bytes: PNG } }, to })
      if (await letterPdf(letter)) await shownThroughWindow(letter)
    })
    const withQuote = { name: ' ', address: '', email: '', to: { name: ' ', address: 'ȴ‘𐀀\n𑠚\nʚی\n!\n!' } }
    await expect(fc.assert(property, { numRuns: 60, examples: [[withQuote]] })).resolves.toBeUndefined()
  })
})
