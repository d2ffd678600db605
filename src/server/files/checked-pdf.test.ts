import { fc, test as property } from '@fast-check/vitest'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { describe, expect, test } from 'vitest'
import { MAX_PDF_BYTES } from '#shared/domain/contract-pdf.ts'
import { aPdf } from '#support/pdf.ts'
import { checkedPdf } from './checked-pdf.ts'

const CHUNK = 65_536

/** The bytes in pieces of this size. */
async function* inPieces(bytes: Uint8Array, size = CHUNK) {
  for (let from = 0; from < bytes.length; from += size) yield bytes.subarray(from, from + size)
}

function checked(bytes: Uint8Array, size?: number): Promise<Buffer> {
  return buffer(Readable.from(checkedPdf(inPieces(bytes, size))))
}

describe('a PDF passes byte by byte', () => {
  property.prop([fc.integer({ min: 100, max: 20_000 }), fc.integer({ min: 1, max: 3000 })])(
    'in pieces of any size',
    async (size, piece) => {
      const pdf = aPdf(size)
      expect(Buffer.compare(await checked(pdf, piece), pdf)).toBe(0)
    },
  )

  test('also with a few lines of other programs before it', async () => {
    const pdf = Buffer.concat([Buffer.from('HTTP/1.1 200 OK\r\n'.repeat(10)), aPdf()])
    expect(await checked(pdf, 7)).toEqual(pdf)
  })

  test('up to 20 MB and not a byte more', async () => {
    expect(await checked(aPdf(MAX_PDF_BYTES))).toHaveLength(MAX_PDF_BYTES)
    await expect(checked(aPdf(MAX_PDF_BYTES + 1))).rejects.toMatchObject({ key: 'PDF_TOO_LARGE' })
  })
})

describe('what is refused', () => {
  test.each([
    ['nothing', '', 'PDF_EMPTY'],
    ['a text', 'Hello', 'NOT_A_PDF'],
    ['a page', `<html>${'x'.repeat(2000)}`, 'NOT_A_PDF'],
    ['a zip file', `PK\u0003\u0004${'x'.repeat(2000)}`, 'NOT_A_PDF'],
    ['a PDF without its end', '%PDF-1.4\n1 0 obj\n', 'PDF_INCOMPLETE'],
  ] as const)('%s is, as %s', async (_what, text, key) => {
    for (const piece of [1, 100, CHUNK]) await expect(checked(Buffer.from(text), piece)).rejects.toMatchObject({ key })
  })

  property.prop([fc.integer({ min: 2, max: 4096 })])('a PDF is, wherever it is cut short', async (missing) => {
    await expect(checked(aPdf(4096).subarray(0, -missing))).rejects.toMatchObject({ name: 'AppError' })
  })

  test('a PDF is not for want of the last line end', async () => {
    expect(await checked(aPdf(4096).subarray(0, -1))).toHaveLength(4095)
  })

  test('a page without an end is, after its first kilobyte', async () => {
    let read = 0
    async function* endless() {
      for (;;) yield Buffer.alloc(100, String((read += 100)))
    }
    await expect(buffer(Readable.from(checkedPdf(endless())))).rejects.toMatchObject({ key: 'NOT_A_PDF' })
    expect(read).toBe(1100)
  })
})
