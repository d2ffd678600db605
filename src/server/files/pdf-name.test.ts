import { expect, test } from 'vitest'
import { pdfName } from './pdf-name.ts'

test.each([
  ['Acme Ltd', 'Acme Ltd contract 7.pdf'],
  ['Müller & Söhne GmbH', 'Müller & Söhne GmbH contract 7.pdf'],
  ['日本電気', '日本電気 contract 7.pdf'],
  ['../../etc/passwd', '.. etc passwd contract 7.pdf'],
  ['.hidden', 'hidden contract 7.pdf'],
  ['a"; filename="b.exe', 'a ; filename= b.exe contract 7.pdf'],
  ['one\r\nSet-Cookie: two', 'one Set-Cookie two contract 7.pdf'],
  ['ab\u202Efdp.exe', 'ab fdp.exe contract 7.pdf'],
  ['???', 'contract 7.pdf'],
  ['\u{1F600}'.repeat(200), `${'\u{1F600}'.repeat(100)} contract 7.pdf`],
])('the PDF of %j is called %j', (customerName, name) => {
  expect(pdfName(customerName, 7)).toBe(name)
})
