import { aPdf, FORM } from '#support/pdf.ts'
import { aPng } from '#support/pictures.ts'

const FILES: [RegExp, string, Buffer][] = [
  [/^POST \/customers\/bulk-upload$/, 'file', Buffer.from('Name\nAcme\n')],
  [
    /^POST \/contracts\/bulk-upload$/,
    'file',
    Buffer.from('Customer,Amount,Start Date,Renewal Cycle,Renewal Date\nAcme,1,2026-01-01,monthly,2050-01-01\n'),
  ],
  [/^POST \/imports\/archive$/, 'file', Buffer.from('PK')],
  [/^POST .*\/pdf$/, 'pdf', aPdf(100)],
  [/^POST .*\/logo$/, 'logo', aPng(2, 2)],
]

/** A form with a sound file, for the routes that take one. */
export function uploadOf(name: string): { type: string; body: Buffer } | undefined {
  const found = FILES.find(([pattern]) => pattern.test(name))
  if (!found) return undefined
  const [, field, file] = found
  const head = FORM.head.replace('"pdf"', `"${field}"`)
  // What it is its name says where it is text.
  const named = field === 'file' ? head.replace('a.pdf', 'a.csv').replace('application/pdf', 'text/csv') : head
  const body = [Buffer.from(named), file, Buffer.from(FORM.tail)]
  return { type: FORM.type, body: Buffer.concat(body) }
}
