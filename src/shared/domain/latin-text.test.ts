import { PDFDocument, StandardFonts } from '@cantoo/pdf-lib'
import { fc, test as property } from '@fast-check/vitest'
import { expect, test } from 'vitest'
import { inLatin, unprintable } from './latin-text.ts'

test.each([
  ['Łódź', 'Lódz'],
  ['Kraków, ul. Świętej Gertrudy', 'Kraków, ul. Swietej Gertrudy'],
  ['Đorđe Đoković, Niš', 'Dorde Dokovic, Niš'],
  ['İstanbul, Beşiktaş', 'Istanbul, Besiktas'],
  ['Nguyễn Văn Trỗi', 'Nguyen Van Troi'],
  ['Zu\u0308rich', 'Zürich'],
  ['№ 5‑6, 3 ½ ﬂoor', 'No 5-6, 3 ½ floor'],
  ['Ａｖｅｎｕｅ １２', 'Avenue 12'],
  ['12 Quay Street\nBuffalo', '12 Quay Street\nBuffalo'],
])('%s is spelled %s', (text, spelled) => {
  expect(inLatin(text)).toBe(spelled)
  expect(unprintable(text)).toEqual([])
})

test('other scripts stay as they are, and are named once each', () => {
  expect(inLatin('Кафе "Łódź"')).toBe('Кафе "Lódz"')
  expect(unprintable('東京都 東 Kafé 😀')).toEqual(['東', '京', '都', '😀'])
})

property.prop([fc.string({ unit: 'binary' })])('what can be printed is what the fonts have', async (text) => {
  const font = await (await PDFDocument.create()).embedFont(StandardFonts.Helvetica)
  const has = new Set(font.getCharacterSet())
  const missing = new Set(unprintable(text))
  for (const character of inLatin(text).replaceAll(/[\n\t]/g, ''))
    expect(has.has(character.codePointAt(0) ?? 0)).toBe(!missing.has(character))
})
