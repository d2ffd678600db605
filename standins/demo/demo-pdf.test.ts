import { expect, test } from 'vitest'
import { toDay } from '#shared/domain/day.ts'
import { agreementPdf } from './demo-pdf.ts'

const bytes = agreementPdf({
  customerName: 'Café (Lumière) \\ Sons',
  amount: 1249.99,
  renewalCycle: 'quarterly',
  startDate: toDay('2026-01-31'),
  renewalDate: toDay('2026-04-30'),
})
const text = bytes.toString('latin1')

test('the agreement is a PDF from its first bytes to its last', () => {
  expect(text.startsWith('%PDF-1.4\n')).toBe(true)
  expect(text.endsWith('\n%%EOF\n')).toBe(true)
})

test('startxref points at the table, and the table at every object', () => {
  const table = Number(/startxref\n(\d+)\n/.exec(text)?.[1])
  expect(text.slice(table)).toMatch(/^xref\n0 7\n0000000000 65535 f \n/)
  const offsets = [...text.slice(table).matchAll(/^(\d{10}) 00000 n $/gm)].map(([, offset]) => Number(offset))
  expect(offsets.map((offset) => text.slice(offset, offset + 7))).toEqual([1, 2, 3, 4, 5, 6].map((id) => `${id} 0 obj`))
})

test('the length of the page is that of its stream', () => {
  const [, length, page] = /<< \/Length (\d+) >>\nstream\n([^]*)\nendstream/.exec(text) ?? []
  expect(page?.length).toBe(Number(length))
})

test('the page names the customer, the amount and the dates', () => {
  expect(text).toContain('(Service agreement) Tj')
  expect(text).toContain(String.raw`(Customer: Café \(Lumière\) \\ Sons) Tj`)
  expect(text).toContain('(Amount: $1,249.99, quarterly) Tj')
  expect(text).toContain('(Start date: Jan 31, 2026) Tj')
  expect(text).toContain('(Renewal date: Apr 30, 2026) Tj')
})
