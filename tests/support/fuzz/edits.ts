import fc from 'fast-check'

/** Pieces of text that readers of files have stumbled over. */
const SNIPPETS = [
  '\u0000',
  '\u0007',
  '\u001a',
  '\u007f',
  '\u0085',
  '\u2028',
  '\uFEFF',
  '\uFFFD',
  '\uFFFE',
  '\u202E',
  '\u2066',
  '\u200B',
  '\u00AD',
  'İ',
  'ß',
  '٣',
  '𒐫',
  'ﷺ'.repeat(300),
  'e\u0301'.repeat(300),
  '"',
  '""',
  '"""',
  "'",
  ',',
  ';',
  '\t',
  '|',
  '\r',
  '\n',
  '\r\n',
  '\n\r',
  'sep=,\n',
  'sep="\n',
  '\\',
  '%',
  '%%',
  '%s',
  '=1+1',
  '@SUM(A1)',
  "'=1",
  '-',
  '+',
  '$',
  '(',
  ')',
  '(-$1',
  '1,234',
  '1.234,50',
  '9'.repeat(400),
  '-0',
  'NaN',
  '0x10',
  '1e308',
  '1e999',
  '-1e999',
  '1e-400',
  '00/00/0000',
  '31/12/9999',
  '02/30/2026',
  '2026-02-30',
  '99999999',
  '-1',
  '٤٥',
  '<',
  '>',
  '&',
  '&amp;',
  '&#0;',
  '&#xD800;',
  '&#99999999;',
  '&lt;',
  '<!--',
  '-->',
  '<![CDATA[',
  ']]>',
  '<?xml',
  '?>',
  '<!DOCTYPE a [<!ENTITY b "c">]>',
  '<a',
  '</a>',
  '<a/>',
  '<a b=',
  '_x0000_',
  '_xD800_',
  '_x005F_',
  'xml:space="preserve"',
  'a'.repeat(40_000),
  ' '.repeat(100_000),
  '\n'.repeat(2000),
  ','.repeat(3000),
  '"'.repeat(999),
  '<a>'.repeat(150),
  '__proto__',
  'constructor',
  'toString',
  '{{customer}}',
  '${1}',
  '../../etc/passwd',
  '%PDF-',
  '%%EOF',
  'startxref',
]
const LONGEST = 2_000_000

interface Edit {
  way: 'insert' | 'remove' | 'replace' | 'repeat'
  at: number
  length: number
  snippet: string
}

const place = fc.nat({ max: 1_000_000 })
const edit: fc.Arbitrary<Edit> = fc.record({
  way: fc.constantFrom('insert', 'remove', 'replace', 'repeat'),
  at: place,
  length: fc.nat({ max: 60 }),
  snippet: fc.oneof(fc.constantFrom(...SNIPPETS), fc.string({ unit: 'binary', maxLength: 4 })),
})

/** A few changes to a text, at any place. */
export const textEdits = fc.array(edit, { maxLength: 5 })

export function editText(text: string, edits: Edit[]): string {
  return edits.reduce(editOnce, text).slice(0, LONGEST)
}

function editOnce(text: string, { way, at, length, snippet }: Edit): string {
  const from = at % (text.length + 1)
  const [before, piece, after] = [text.slice(0, from), text.slice(from, from + length), text.slice(from + length)]
  if (way === 'insert') return before + snippet + piece + after
  if (way === 'remove') return before + after
  return way === 'replace' ? before + snippet + after : before + piece.repeat(50) + after
}

/** Numbers that stand at the edges of what a header holds. */
export const NUMBERS = [0, 1, 0xff, 0xffff, 0x7fffffff, 0x80000000, 0xffffffff]
const MARKS = [
  'PK\u0001\u0002',
  'PK\u0003\u0004',
  'PK\u0005\u0006',
  'PK\u0006\u0006',
  'PK\u0006\u0007',
  'ÿþ',
  'þÿ',
  'ï»¿',
  '\r\n',
]
const number = fc.constantFrom(...NUMBERS).map((value) => {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(value)
  return bytes
})
const bytes = fc.oneof(
  fc.uint8Array({ maxLength: 8 }).map((values) => Buffer.from(values)),
  fc.constantFrom(...MARKS).map((mark) => Buffer.from(mark, 'latin1')),
  number,
)
export interface ByteEdit {
  way: 'insert' | 'write' | 'cut' | 'end'
  at: number
  bytes: Buffer
}

const byteEdit: fc.Arbitrary<ByteEdit> = fc.record({
  way: fc.constantFrom('insert', 'write', 'cut', 'end'),
  at: place,
  bytes,
})

/** A few changes to bytes, more often near the end, where archives keep their directory. */
export const byteEdits = fc.array(byteEdit, { maxLength: 4 })

export function editBytes(content: Buffer, edits: ByteEdit[]): Buffer {
  return edits.reduce(editBytesOnce, content)
}

function editBytesOnce(content: Buffer, { way, at, bytes: piece }: ByteEdit): Buffer {
  const from = at % 2 === 0 ? at % (content.length + 1) : Math.max(0, content.length - (at % 400))
  const before = content.subarray(0, from)
  if (way === 'end') return before
  const skipped = way === 'insert' ? 0 : piece.length
  const between = way === 'cut' ? Buffer.alloc(0) : piece
  return Buffer.concat([before, between, content.subarray(from + skipped)])
}
