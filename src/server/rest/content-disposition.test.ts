import { expect, test } from 'vitest'
import { inlineAs } from './content-disposition.ts'

test.each([
  ['Acme contract 7.pdf', 'Acme contract 7.pdf', 'Acme%20contract%207.pdf'],
  ['Café 100%.pdf', 'Cafe 100_.pdf', 'Caf%C3%A9%20100%25.pdf'],
  ['日本 (1).pdf', '_ (1).pdf', '%E6%97%A5%E6%9C%AC%20%281%29.pdf'],
  ['a"b\\c*.pdf', 'a_b_c*.pdf', 'a%22b%5Cc%2a.pdf'],
  ['x\r\ny.pdf', 'x_y.pdf', 'x%0D%0Ay.pdf'],
])('%j is named in ASCII and in UTF-8', (fileName, ascii, utf8) => {
  expect(inlineAs(fileName)).toBe(`inline; filename="${ascii}"; filename*=UTF-8''${utf8}`)
})
