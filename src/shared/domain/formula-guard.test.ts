import { test as property, fc } from '@fast-check/vitest'
import { expect, test } from 'vitest'
import { guardFormula, unguardFormula } from './formula-guard.ts'

const text = fc.oneof(fc.string(), fc.stringMatching(/^[a;]{0,2}[='+@;\t\n \u00a0\u200b\ufeff-]{0,6}[a-z1]{0,3}$/))

property.prop([text])('every text comes back as it was', (original) => {
  expect(unguardFormula(guardFormula(original))).toBe(original)
})

property.prop([text])('no guarded text begins as a formula does', (original) => {
  expect(guardFormula(original)).not.toMatch(/^(?:[ \u00a0\u200b\ufeff]*[=+\-@＝＋－＠]|[\t\r\n])/)
})

test.each([
  '=1+1',
  '+1 555',
  '-5',
  '@SUM(A1)',
  '\t1',
  '＝1',
  ' =1+1',
  '\u00a0=1',
  '\u200b=1',
  '\ufeff=1',
  '\u2060\u3000 @SUM(A1)',
  "' =1",
])('%j is made harmless', (formula) => {
  expect(guardFormula(formula)).toBe(`'${formula}`)
})

property.prop([text])('no guarded text has a formula where another separator would begin a cell', (original) => {
  expect(guardFormula(original)).not.toMatch(/[;\t\r\n][ \u00a0\u200b\ufeff]*[=+\-@＝＋－＠]/)
})

test.each([
  ['Acme;=1+1', "Acme;'=1+1"],
  ['Acme; =1+1', "Acme;' =1+1"],
  ['Acme\t\u200b=1', "Acme\t'\u200b=1"],
  ['Acme\t@SUM(A1)', "Acme\t'@SUM(A1)"],
  ["Acme;'=1", "Acme;''=1"],
  ['1 Main Street\r\n+1 555', "1 Main Street\r\n'+1 555"],
])('%j is made harmless within', (formula, harmless) => {
  expect(guardFormula(formula)).toBe(harmless)
})

test.each([
  '1 Main Street,\r\n\r\nSpringfield',
  'Acme; Beta',
  'Acme,-',
  'Acme',
  "O'Brien",
  "'Quoted'",
  '1-2',
  'A - B',
  'Acme; A - B',
  '',
])('%j stays as it is', (plain) => {
  expect(guardFormula(plain)).toBe(plain)
  expect(unguardFormula(plain)).toBe(plain)
})
