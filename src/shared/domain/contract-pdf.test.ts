import { describe, expect, test } from 'vitest'
import { beginsAsPdf, endsAsPdf, pdfAddress } from './contract-pdf.ts'

const bytes = (text: string) => new TextEncoder().encode(text)

test('the PDF of a contract is read at the address of the specification', () => {
  expect(pdfAddress(12)).toBe('/contracts/12/pdf')
})

describe('a PDF', () => {
  test.each(['%PDF-1.4\n', '\uFEFF%PDF-2.0', `${'x'.repeat(1019)}%PDF-`])(
    'begins within the first 1,024 bytes: %#',
    (head) => {
      expect(beginsAsPdf(bytes(head))).toBe(true)
    },
  )

  test.each(['', '%PDF', 'PK\u0003\u0004', '<html>', `${'x'.repeat(1020)}%PDF-`])(
    'is not what begins otherwise: %#',
    (head) => {
      expect(beginsAsPdf(bytes(head))).toBe(false)
    },
  )

  test.each([
    'startxref\n116\n%%EOF',
    'startxref\r\n116\r\n%%EOF\r\n',
    `startxref 116 %%EOF${'\0'.repeat(3000)}`,
    'startxref\n0\n%%EOF ... startxref\n116\n%%EOF\n',
  ])('ends with the place of its table and the mark of its end: %#', (tail) => {
    expect(endsAsPdf(bytes(tail), 5000)).toBe(true)
  })

  test.each([
    '',
    'startxref\n116\n',
    'startxref\n116\n%%EO',
    '%%EOF',
    'startxref\n0\n%%EOF',
    'startxref\n5000\n%%EOF',
    `startxref\n116\n%%EOF${'x'.repeat(4096)}`,
  ])('is cut short where that is missing: %#', (tail) => {
    expect(endsAsPdf(bytes(tail), 5000)).toBe(false)
  })
})
