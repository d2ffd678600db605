import { test as property, fc } from '@fast-check/vitest'
import { expect, test } from 'vitest'
import { guardFormula, unguardFormula } from './formula-guard.ts'

const text = fc.oneof(fc.string(), fc.stringMatching(/^[='+@\t-]{0,4}[a-z1]{0,3}$/))

property.prop([text])('every text comes back as it was', (original) => {
  expect(unguardFormula(guardFormula(original))).toBe(original)
})

property.prop([text])('no guarded text begins as a formula does', (original) => {
  expect(guardFormula(original)).not.toMatch(/^[=+\-@\t\r\n＝＋－＠]/)
})

test.each(['=1+1', '+1 555', '-5', '@SUM(A1)', '\t=1', '＝1'])('%j is made harmless', (formula) => {
  expect(guardFormula(formula)).toBe(`'${formula}`)
})

test.each(['Acme', "O'Brien", "'Quoted'", '1-2', ''])('%j stays as it is', (plain) => {
  expect(guardFormula(plain)).toBe(plain)
  expect(unguardFormula(plain)).toBe(plain)
})
