import { expect, test } from 'vitest'
import { foldText } from './fold-text.ts'

test.each([
  ['Café', 'cafe'],
  ['Cafe\u0301', 'cafe'],
  ['ÉMILE & Søns', 'emile & sons'],
  ['Straße', 'strasse'],
  ['STRAẞE', 'strasse'],
  ['Łódź', 'lodz'],
  ['İstanbul ılık', 'istanbul ilik'],
  ['Œuvre Æsop', 'oeuvre aesop'],
  ['Москва', 'москва'],
  ['', ''],
])('"%s" is compared as "%s"', (written, folded) => {
  expect(foldText(written)).toBe(folded)
})
