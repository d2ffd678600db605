import { deflateSync } from 'node:zlib'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { decodePDFRawStream, PDFDocument, PDFRawStream } from '@cantoo/pdf-lib'
import { PROOF_FORMAT, type ProofRecord, type ProvedRecord } from '#shared/domain/proof-chain.ts'
import { sha256 } from '#shared/domain/proof-key.ts'
import { aForge, chained } from '#support/proof-signer.ts'
import { certificatePdf } from './certificate-pdf.ts'
import { RECORD_FILE, type Certificate } from './certificate.ts'
import { verifyCertificate } from './verify-certificate.ts'

const operator = await aForge()
const stranger = await aForge()
const encoder = new TextEncoder()

/** The lines of a certificate's pages, as they are drawn. */
async function textOfPdf(file: Uint8Array): Promise<string> {
  const document = await PDFDocument.load(file)
  const streams = document.context
    .enumerateIndirectObjects()
    .flatMap(([, object]) => (object instanceof PDFRawStream ? [object] : []))
  const drawn = streams.map((stream) => new TextDecoder('latin1').decode(decodePDFRawStream(stream).decode()))
  const lines = drawn.flatMap((one) => Array.from(one.matchAll(/<([0-9A-F]*)> Tj/g), ([, hex = '']) => hex))
  return lines.map((hex) => Buffer.from(hex, 'hex').toString('latin1')).join('\n')
}

const MESSAGE =
  'Hello Zoë,\n\nyour contract “Łódź” renews on April 1.\nUnsubscribe: https://traxx.example/unsubscribe/[hidden]'

function recordsOf(account: number, reminder = 3): ProofRecord[] {
  const about = { format: PROOF_FORMAT, account, reminder } as const
  const time = { name: 'time', title: 'Time', facts: [['UTC', '2026-03-10 12:00:00.000']], text: '' } as const
  const facts = [
    ['Subject', 'Your contract'],
    ['Verify at', 'https://traxx.example/verify'],
  ] as const
  const message = { name: 'message', title: 'Message', facts, text: MESSAGE } as const
  const event = { name: 'event', title: 'Delivery', facts: [['Reported by', 'The mail provider']], text: '' } as const
  return [
    { ...about, number: 1, kind: 'sent', at: '2026-03-10T12:00:00.000Z', parts: [message, time] },
    { ...about, number: 2, kind: 'delivered', at: '2026-03-10T12:00:09.000Z', parts: [event, time] },
  ]
}

async function certificateOf(account = 7): Promise<Certificate> {
  return madeOf(await chained(recordsOf(account), operator))
}

function madeOf(proved: readonly ProvedRecord[]): Certificate {
  return { format: 'traxx-certificate-1', proved }
}

/** The certificate with changed records, in a file made as TRAXX makes it. */
async function forged(change: (certificate: Certificate) => Certificate | Promise<Certificate>) {
  return verifyCertificate(await certificatePdf(await change(await certificateOf())), [operator.key])
}

/** The certificate with another text in the place of one. */
function replaced(certificate: Certificate, text: string, by: string): Certificate {
  return JSON.parse(JSON.stringify(certificate).replace(text, by))
}

describe('a certificate', () => {
  test('is genuine as it was made, and has the same bytes whenever it is made', async () => {
    const certificate = await certificateOf()
    const file = await certificatePdf(certificate)
    expect(await certificatePdf(structuredClone(certificate))).toEqual(file)
    expect(await verifyCertificate(file, [operator.key])).toMatchObject({ verdict: 'genuine', certificate })
  })

  test('still has the bytes that it had when the first one was made: older ones are compared with these', async () => {
    const link = {
      previousHash: 'a'.repeat(64),
      recordHash: 'b'.repeat(64),
      hash: 'c'.repeat(64),
      signature: 'd',
      keyId: 'e',
    }
    const proved = recordsOf(7).map((record) => ({ record, partHashes: [], link: { number: record.number, ...link } }))
    const file = await certificatePdf(madeOf(proved))
    expect(await sha256(Array.from(file, (byte) => String.fromCharCode(byte)).join(''))).toBe(FIRST_BYTES)
  })

  test('of a long text has as many pages as that takes', async () => {
    const [record] = recordsOf(7)
    const parts = record?.parts.map((part) => ({ ...part, text: 'word '.repeat(4000) + 'x'.repeat(2000) })) ?? []
    const proved = await chained(record ? [{ ...record, parts }] : [], operator)
    const file = await certificatePdf(madeOf(proved))
    expect((await PDFDocument.load(file)).getPageCount()).toBeGreaterThan(5)
    expect(await verifyCertificate(file, [operator.key])).toMatchObject({ verdict: 'genuine' })
  })
})

const FIRST_BYTES = '3636aada4e14e3845e349aa3c225560c0f991d51a6b6fde1c8e3dbd2db3a7efa'

/** The records of a letter that was marked as mailed, and whose mark was corrected. */
function recordsOfLetter(kind = 'mailed'): ProofRecord[] {
  const about = { format: PROOF_FORMAT, account: 7, reminder: 3 } as const
  const letter = { name: 'letter', title: 'Letter', facts: [], text: 'It renews on April 1.' } as const
  return [
    { ...about, number: 1, kind, at: '2026-03-10T12:00:00.000Z', parts: [letter] },
    { ...about, number: 2, kind: 'corrected', at: '2026-03-11T12:00:00.000Z', parts: [letter] },
  ]
}

test('a letter is not said to have been sent: TRAXX wrote its text when it was marked as mailed', async () => {
  const text = await textOfPdf(await certificatePdf(madeOf(await chained(recordsOfLetter(), operator))))
  const caption = 'Text of the letter as TRAXX wrote it when it was marked as mailed. TRAXX did not mail it.'
  expect(text.split('\n').filter((line) => line === caption)).toHaveLength(2)
  expect(text).not.toContain('as it was sent')
  expect(await textOfPdf(await certificatePdf(await certificateOf()))).toContain('Text as it was sent')
})

test('what this version does not know is not called changed if its signatures hold', async () => {
  const newer = await chained(recordsOfLetter('handed over'), operator)
  const document = await PDFDocument.load(await certificatePdf(madeOf(newer)))
  document.addPage()
  const reason = { kind: 'newer version' }
  expect(await verifyCertificate(await document.save(), [operator.key])).toEqual({ verdict: 'unknown', reason })
  const changed = replaced(madeOf(newer), 'April 1', 'April 2')
  expect(await verifyCertificate(await certificatePdf(changed), [operator.key])).toMatchObject({ verdict: 'changed' })
})

describe('a forged certificate', () => {
  test.each([
    ['one character of the text', 'April 1', 'April 2', 'message', 1],
    ['a date', '2026-03-10 12:00:00.000', '2026-03-09 12:00:00.000', 'time', 1],
    ['when it was recorded', '12:00:09.000Z', '12:00:08.000Z', 'record', 2],
    ['where to verify it', 'https://traxx.example/verify', 'https://traxx.test/verify', 'message', 1],
    ['the account', '"account":7', '"account":8', 'record', 1],
  ])('names the part with a change of %s', async (_what, text, by, part, record) => {
    expect(await forged((certificate) => replaced(certificate, text, by))).toMatchObject({
      verdict: 'changed',
      part,
      record,
    })
  })

  test('is found if every hash was made to fit', async () => {
    const verdict = await forged(async (certificate) => {
      const records = certificate.proved.map(({ record }) => record)
      const [first, ...others] = records
      const changed = first && { ...first, at: '2026-03-01T12:00:00.000Z' }
      const proved = await chained(changed ? [changed, ...others] : [], stranger)
      return madeOf(proved.map(({ link, ...one }) => ({ ...one, link: { ...link, keyId: operator.key.id } })))
    })
    expect(verdict).toMatchObject({ verdict: 'changed', part: 'signature', record: 1 })
  })

  test('is unknown if somebody else signed it', async () => {
    const file = await certificatePdf(madeOf(await chained(recordsOf(7), stranger)))
    const reason = { kind: 'other key', keyId: stranger.key.id }
    expect(await verifyCertificate(file, [operator.key])).toEqual({ verdict: 'unknown', reason })
  })

  test.each(['7 with a record of 8', 'two records swapped', 'a record twice', 'another message of the account'])(
    'has records that do not belong together: %s',
    async (what) => {
      const verdict = await forged(async ({ proved: [sent, delivered] }) => {
        if (!sent || !delivered) throw new Error('There are two records')
        const [, ofOther] = await chained(recordsOf(8), operator)
        const [, ofMessage] = await chained([...recordsOf(7, 4)], operator)
        if (what.startsWith('7') && ofOther) return madeOf([sent, ofOther])
        if (what.startsWith('another') && ofMessage) return madeOf([sent, ofMessage])
        return madeOf(what.startsWith('two') ? [delivered, sent] : [sent, sent])
      })
      expect(verdict).toMatchObject({ verdict: 'changed', part: 'records', record: null })
    },
  )

  test('has genuine records under other pages', async () => {
    const [certificate, other] = [await certificateOf(), replaced(await certificateOf(), 'April 1', 'April 9')]
    const document = await PDFDocument.load(await certificatePdf(other))
    document.detach(RECORD_FILE)
    await document.attach(encoder.encode(JSON.stringify(certificate)), RECORD_FILE, { mimeType: 'application/json' })
    const verdict = await verifyCertificate(await document.save(), [operator.key])
    expect(verdict).toMatchObject({ verdict: 'changed', part: 'pages', record: null, certificate })
  })

  test.each(['Producer', 'endstream'])('has a byte of its file changed: %s', async (word) => {
    const file = await certificatePdf(await certificateOf())
    const at = new TextDecoder('latin1').decode(file).indexOf(word)
    const changed = Uint8Array.from(file, (byte, index) => (index === at ? byte ^ 1 : byte))
    expect(await verifyCertificate(changed, [operator.key])).toMatchObject({ verdict: 'changed', part: 'pages' })
  })

  test('is found in the longest certificate, too', async () => {
    const [, ...delivered] = recordsOf(7)
    const others = Array.from({ length: 98 }, (_, index) =>
      delivered.map((one) => ({ ...one, number: index + 3 })),
    ).flat()
    const file = await certificatePdf(madeOf(await chained([...recordsOf(7), ...others], operator)))
    const at = new TextDecoder('latin1').decode(file).indexOf('endstream')
    const changed = Uint8Array.from(file, (byte, index) => (index === at ? byte ^ 1 : byte))
    expect(await verifyCertificate(changed, [operator.key])).toMatchObject({ verdict: 'changed', part: 'pages' })
  })
})

test.each([
  ['nothing', new Uint8Array()],
  ['a text', encoder.encode('Hello')],
  ['half of a PDF', encoder.encode('%PDF-1.7\n1 0 obj\n<<')],
  // Read on for each of them, such a file would take minutes.
  ['a PDF of broken objects', encoder.encode(`%PDF-1.7\n${'1 0 obj ('.repeat(100_000)}`)],
  ['a PDF of digits', encoder.encode(`%PDF-1.7\n1 0 obj\n<<>>\nendobj\nx${'1'.repeat(1_000_000)}`)],
  ['a PDF of streams that do not end', encoder.encode(`%PDF-1.7\n${'1 0 obj <</Length 9>> stream\n'.repeat(30_000)}`)],
  // Their table would fill the memory.
  [
    'a PDF that says it has a billion objects',
    encoder.encode(
      '%PDF-1.7\n1 0 obj <</Type /XRef /Size 1000000000 /W [1 2 1] /Length 1>> stream\nx\nendstream endobj\n',
    ),
  ],
])('%s is no certificate', async (_what, file) => {
  const reason = { kind: 'no certificate' }
  expect(await verifyCertificate(file, [operator.key])).toEqual({ verdict: 'unknown', reason })
})

test.each(['[', '{},', '{"a":'])('very many of %s are not parsed', async (text) => {
  const packed = deflateSync(Buffer.alloc(60_000_000, text))
  const dictionary = `<< /Type /EmbeddedFile /Filter /FlateDecode /Length ${packed.length} >>`
  const head = Buffer.from(`%PDF-1.7\n2 0 obj\n${dictionary}\nstream\n`)
  const file = Buffer.concat([head, packed, Buffer.from('\nendstream\nendobj\n')])
  const parse = vi.spyOn(JSON, 'parse')
  onTestFinished(() => parse.mockRestore())
  const reason = { kind: 'no certificate' }
  expect(await verifyCertificate(file, [operator.key])).toEqual({ verdict: 'unknown', reason })
  expect(parse).not.toHaveBeenCalled()
})

test.each(['{}', 'no JSON', '[1]', '{"format":"traxx-certificate-1","proved":[]}'])(
  'a PDF in which %s is attached is none',
  async (record) => {
    const document = await PDFDocument.create()
    document.addPage()
    await document.attach(encoder.encode(record), RECORD_FILE)
    const reason = { kind: 'no certificate' }
    expect(await verifyCertificate(await document.save(), [operator.key])).toEqual({ verdict: 'unknown', reason })
  },
)
