import { deflateSync } from 'node:zlib'
import { PDFDocument } from '@cantoo/pdf-lib'
import fc from 'fast-check'
import { certificatePdf } from '#shared/certificates/certificate-pdf.ts'
import { certificateText, type Certificate } from '#shared/certificates/certificate.ts'
import { PROOF_FORMAT } from '#shared/domain/proof-chain.ts'
import type { ProofKey } from '#shared/domain/proof-key.ts'
import { aForge, chained } from '#support/proof-signer.ts'
import { byteEdits, editBytes, editText, textEdits } from './edits.ts'
import { named, type HostileFile } from './hostile-files.ts'
import { jsonOf } from './hostile-json.ts'

export interface Certificates {
  keys: ProofKey[]
  genuine: HostileFile
  hostile: fc.Arbitrary<HostileFile>
}

const about = { format: PROOF_FORMAT, account: 7, reminder: 3, kind: 'sent', at: '2026-03-10T12:00:00.000Z' } as const
const message = { name: 'message', title: 'Message', facts: [['Subject', 'Hello']], text: 'Hello Zoë' } as const

/** A genuine certificate, and others that are wrong in one way: in what is attached, how, or anywhere in the file. */
export async function makeCertificates(): Promise<Certificates> {
  const operator = await aForge()
  const records = [1, 2].map((number) => ({ ...about, number, parts: [message] }))
  const certificate: Certificate = { format: 'traxx-certificate-1', proved: await chained(records, operator) }
  const asMade = Buffer.from(await certificatePdf(certificate))
  // As another program saves it: most of its objects are packed.
  const saved = Buffer.from(await (await PDFDocument.load(asMade)).save())
  const file = fc.constantFrom(asMade, saved)
  const text = certificateText(certificate)
  const content = fc.oneof(
    jsonOf(fc.constant<unknown>(certificate)),
    textEdits.map((edits) => editText(text, edits)),
  )
  const hostile = fc.oneof(
    fc.tuple(file, content).map(([pdf, one]) => withPacking(pdf, AS_MADE, Buffer.from(one))),
    fc.tuple(file, anyPacking).map(([pdf, packing]) => withPacking(pdf, packing, Buffer.from(text))),
    fc.tuple(file, fc.constantFrom(...OBJECTS), fc.nat()).map(([pdf, object, at]) => withObject(pdf, object(), at)),
    fc.tuple(file, pdfEdits).map(([pdf, edits]) => Buffer.from(editText(pdf.toString('latin1'), edits), 'latin1')),
    fc.tuple(file, byteEdits).map(([pdf, edits]) => editBytes(pdf, edits)),
  )
  return {
    keys: [operator.key],
    genuine: named('certificate.pdf', asMade),
    hostile: hostile.map((bytes) => named('certificate.pdf', bytes)),
  }
}

const pdfWord = fc.constantFrom(
  'obj',
  'endobj',
  '1 0 obj',
  'stream\n',
  'endstream',
  '<<',
  '>>',
  '[',
  ']',
  '(',
  '1 0 R',
  '/Length 999999999',
  '/Length -1',
  '/Filter /FlateDecode',
  '/Type /EmbeddedFile',
  '/Type /ObjStm',
  '/Type /XRef',
  '/EF 1 0 R',
  '/Names [1 0 R]',
  '/Kids [1 0 R]',
  '/Root 1 0 R',
  '/Encrypt 1 0 R',
  '/Prev 0',
  'xref',
  'trailer',
  'startxref',
  '%%EOF',
  '['.repeat(5000),
  '<<'.repeat(5000),
  '1 0 obj ('.repeat(3000),
  '1'.repeat(900),
  '1'.repeat(5000),
  '1 0 obj <</Length 9>> stream\n'.repeat(1000),
)
const pdfEdits = fc.array(
  fc.record({
    way: fc.constantFrom('insert', 'remove', 'replace', 'repeat'),
    at: fc.nat({ max: 1_000_000 }),
    length: fc.nat({ max: 60 }),
    snippet: pdfWord,
  }),
  { minLength: 1, maxLength: 4 },
)

interface Packing {
  /** What is attached, made of the records. */
  content: (records: Buffer) => Buffer
  filter: string
  length: (bytes: number) => string
}

const packed = (bytes: Buffer) => deflateSync(bytes, { level: 1 })

const made = new Map<string, Buffer>()

/** Millions of these, packed; made once, as that takes its time. */
function manyPacked(text: string, bytes: number): Buffer {
  const name = `${text} ${bytes}`
  const known = made.get(name) ?? packed(Buffer.alloc(bytes, text))
  made.set(name, known)
  return known
}

/** More than is unpacked of any file. */
const TOO_MANY = 80_000_000
const MANY = 30_000_000
const anyPacking: fc.Arbitrary<Packing> = fc.record({
  content: fc.constantFrom<Packing['content'][]>(
    (records) => records,
    packed,
    (records) => packed(packed(records)),
    () => manyPacked(' ', TOO_MANY),
    () => packed(manyPacked(' ', TOO_MANY)),
    () => manyPacked('[', MANY),
    (records) => packed(Buffer.concat([Buffer.alloc(MANY, ' '), records])),
    (records) => Buffer.concat([packed(records), Buffer.alloc(MANY)]),
    (records) => packed(records).subarray(0, -5),
    () => Buffer.alloc(300_000, 'z'),
  ),
  filter: fc.constantFrom(
    '/FlateDecode',
    '/FlateDecode',
    '/FlateDecode',
    '[/FlateDecode /FlateDecode]',
    `[${'/FlateDecode '.repeat(500)}]`,
    '/LZWDecode',
    '/ASCII85Decode',
    '/RunLengthDecode',
    '/Unknown',
    '1 0 R',
    '[]',
  ),
  length: fc.constantFrom<Packing['length'][]>(
    String,
    String,
    () => '1 0 R',
    () => '999999999',
    () => '-1',
    () => '0',
  ),
})

const AS_MADE: Packing = { content: packed, filter: '/FlateDecode', length: String }

const EMBEDDED = '/Type /EmbeddedFile'

/** The PDF with something else in place of the attached file. */
function withPacking(pdf: Buffer, { content, filter, length }: Packing, records: Buffer): Buffer {
  const mark = pdf.indexOf(EMBEDDED)
  const [begin, end] = [pdf.lastIndexOf('<<', mark), pdf.indexOf('endstream', mark)]
  const bytes = content(records)
  const head = `<< ${EMBEDDED} /Subtype /application#2Fjson /Filter ${filter} /Length ${length(bytes.length)} >>\nstream\n`
  return Buffer.concat([pdf.subarray(0, begin), Buffer.from(head), bytes, Buffer.from('\n'), pdf.subarray(end)])
}

/** Objects that say far more of themselves than there is, or refer to themselves. */
const OBJECTS: (() => Buffer)[] = [
  () => stream('/Type /XRef /Size 20000000 /W [1 2 1]', Buffer.alloc(9)),
  () => stream('/Type /XRef /Size 9 /Index [0 20000000] /W [0 0 0]', Buffer.alloc(9)),
  () => stream('/Type /XRef /Size 9 /W [99999999 1 1]', Buffer.alloc(9)),
  () => stream('/Type /ObjStm /N 99999999 /First 0', Buffer.alloc(9)),
  () => stream('/Type /ObjStm /N 1 /First 4 /Filter /FlateDecode', manyPacked('8 0 ', TOO_MANY)),
  () => stream('/Type /ObjStm /N 3000 /First 30000 /Filter /FlateDecode', packed(manyTimesTheSame())),
  () => stream('/Type /EmbeddedFile /Filter /FlateDecode', manyPacked(' ', TOO_MANY)),
  () => Buffer.from('900 0 obj\n<< /Type /Catalog /Names 900 0 R /EmbeddedFiles 900 0 R /Kids [900 0 R] >>\nendobj\n'),
  () => Buffer.from('900 0 obj\n900 0 R\nendobj\ntrailer << /Root 900 0 R /Encrypt 900 0 R >>\n'),
  () => Buffer.from('trailer << /Encrypt << /Filter /Standard /V 5 /R 6 /O () /U () /P -1 >> >>\n'),
  () => Buffer.from(`900 0 obj\n${'['.repeat(200_000)}\nendobj\n`),
  () => Buffer.from(`${'x'.repeat(1_000_000)}\n`),
  () => Buffer.from(`${'12 '.repeat(300_000)}\n`),
]

function stream(entries: string, bytes: Buffer): Buffer {
  const head = `900 0 obj\n<< ${entries} /Length ${bytes.length} >>\nstream\n`
  return Buffer.concat([Buffer.from(head), bytes, Buffer.from('\nendstream\nendobj\n')])
}

/** An object that is read 3000 times. */
function manyTimesTheSame(): Buffer {
  const places = Array.from({ length: 3000 }, (_, index) => `${1000 + index} 0 `).join('')
  return Buffer.from(`${places.padEnd(30_000)}[${'0 '.repeat(30_000)}]`)
}

/** The PDF with one more object, in front of any of its own or at its end. */
function withObject(pdf: Buffer, object: Buffer, at: number): Buffer {
  const text = pdf.toString('latin1')
  const places = [...Array.from(text.matchAll(/^\d+ 0 obj/gm), ({ index }) => index), pdf.length]
  const place = places[at % places.length] ?? 0
  return Buffer.concat([pdf.subarray(0, place), object, pdf.subarray(place)])
}
