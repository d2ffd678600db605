import { once } from 'node:events'
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { request as open, type ClientRequest, type IncomingMessage } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { json } from 'node:stream/consumers'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { MAX_PDF_BYTES } from '#shared/domain/contract-pdf.ts'
import type { RequestContext } from '#server/context.ts'
import { openLocalFiles } from '#server/storage/local-files.ts'
import { bearer, useApp } from '#support/app.ts'
import { aPdf, FORM, formWith } from '#support/pdf.ts'
import { aContract, aCustomer, anAccount, useWorld } from '#support/world.ts'

const MB = 1024 * 1024
const folder = mkdtempSync(join(tmpdir(), 'traxx-pdf-'))
const files = openLocalFiles(folder)
/** What the storage waits for before it takes the next piece. */
const gate = { next: async () => {} }
const world = useWorld()
const server = useApp(world, {
  files: {
    ...files,
    write: (key, bytes) =>
      files.write(
        key,
        bytes.map(async (piece: unknown) => (await gate.next(), piece)),
      ),
  },
})
let origin: string

beforeAll(async () => {
  origin = await server.app.listen({ port: 0, host: '127.0.0.1' })
})

afterAll(() => rmSync(folder, { recursive: true }))

/** The stored files, wherever they are in the folder. */
function storedFiles(): string[] {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true })
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
}

interface Signed {
  request: RequestContext
  url: string
  headers: { authorization: string }
}

/** The address of a new contract's PDF, and who may use it. */
async function aPlaceForAPdf(customerName = 'Acme Ltd'): Promise<Signed> {
  for (const file of storedFiles()) rmSync(file, { force: true })
  const request = await anAccount(world)
  const { id: customerId } = await aCustomer(request, { name: customerName })
  const { id } = await aContract(request, { customerId })
  return { request, url: `${origin}/contracts/${id}/pdf`, headers: bearer(request) }
}

async function upload({ url, headers }: Signed, body: BodyInit, more: Record<string, string> = {}) {
  const answer = await fetch(url, { method: 'POST', body, headers: { ...headers, ...more } })
  return { status: answer.status, body: await answer.json() }
}

async function download({ url, headers }: Signed, more: Record<string, string> = {}) {
  const answer = await fetch(url, { headers: { ...headers, ...more } })
  return { status: answer.status, headers: answer.headers, bytes: Buffer.from(await answer.arrayBuffer()) }
}

/** An upload whose pieces the test sends one by one. */
function begin({ url, headers }: Signed, more: Record<string, string | number> = {}): ClientRequest {
  const upload = open(url, {
    method: 'POST',
    headers: { ...headers, 'content-type': FORM.type, ...more },
    agent: false,
  })
  upload.on('error', () => {})
  upload.write(FORM.head)
  return upload
}

/** Writes as fast as the other end takes it, and tells how many bytes that were until it took no more. */
async function pour(upload: ClientRequest, pieces: Iterable<Buffer>): Promise<number> {
  let isAnswered = false
  const answered = new Promise<void>((resolve) => {
    upload.once('response', () => {
      isAnswered = true
      resolve()
    })
  })
  let sent = 0
  for (const piece of pieces) {
    if (upload.destroyed || isAnswered) break
    sent += piece.length
    if (!upload.write(piece)) await Promise.race([once(upload, 'drain'), answered]).catch(() => undefined)
  }
  return sent
}

async function answerOf(
  upload: ClientRequest,
): Promise<{ status: number | undefined; body: unknown; headers: object }> {
  const [answer]: IncomingMessage[] = await once(upload, 'response')
  if (!answer) throw new Error('There is no answer')
  return { status: answer.statusCode, body: await json(answer), headers: answer.headers }
}

describe('an upload', () => {
  test('gives the contract its PDF, which is read as it was sent', async () => {
    const place = await aPlaceForAPdf()
    const pdf = aPdf(300_000)
    const { pathname } = new URL(place.url)
    expect(await upload(place, formWith(pdf))).toEqual({ status: 201, body: { pdfPath: pathname } })
    const contract = await fetch(place.url.replace('/pdf', ''), { headers: place.headers })
    expect(await contract.json()).toMatchObject({ pdfPath: pathname })
    expect(Buffer.compare((await download(place)).bytes, pdf)).toBe(0)
  })

  test('takes a PDF by its content, not by its name or declared type', async () => {
    const place = await aPlaceForAPdf()
    const form = formWith(aPdf(), { name: 'scan', type: 'application/octet-stream' })
    expect(await upload(place, form)).toMatchObject({ status: 201 })
  })

  test('ignores the other fields of its form', async () => {
    const place = await aPlaceForAPdf()
    const form = formWith(aPdf())
    form.append('note', 'signed in March')
    expect(await upload(place, form)).toMatchObject({ status: 201 })
  })

  test('replaces the earlier PDF, which stays until the next one comes', async () => {
    const place = await aPlaceForAPdf()
    await upload(place, formWith(aPdf()))
    const [second, third] = [aPdf(), aPdf()]
    await upload(place, formWith(second))
    expect((await download(place)).bytes).toEqual(second)
    expect(storedFiles()).toHaveLength(2)
    await upload(place, formWith(third))
    expect((await download(place)).bytes).toEqual(third)
    expect(storedFiles()).toHaveLength(2)
  })

  test('may come twice at once: one of them is the PDF, and the other is kept', async () => {
    const place = await aPlaceForAPdf()
    const pdfs = [aPdf(2 * MB), aPdf(2 * MB)]
    const answers = await Promise.all(pdfs.map((pdf) => upload(place, formWith(pdf))))
    expect(answers.map(({ status }) => status)).toEqual([201, 201])
    const { bytes } = await download(place)
    expect(pdfs.some((pdf) => Buffer.compare(pdf, bytes) === 0)).toBe(true)
    expect(storedFiles()).toHaveLength(2)
  })

  test('of 20 MB is taken, and one byte more is 413 with the limit', async () => {
    const place = await aPlaceForAPdf()
    const largest = aPdf(MAX_PDF_BYTES)
    expect(await upload(place, formWith(largest))).toMatchObject({ status: 201 })
    expect(await upload(place, formWith(aPdf(MAX_PDF_BYTES + 1)))).toMatchObject({
      status: 413,
      body: { error: 'The PDF is larger than 20 MB' },
    })
    expect(Buffer.compare((await download(place)).bytes, largest)).toBe(0)
    expect(storedFiles()).toHaveLength(1)
  })
})

const twoFiles = () => {
  const form = formWith(aPdf())
  form.append('pdf', new Blob([aPdf()]), 'second.pdf')
  return form
}
const textField = () => {
  const form = new FormData()
  form.append('pdf', aPdf().toString('latin1'))
  return form
}
const MULTIPART = { 'content-type': FORM.type }
const FIELD_REQUIRED = 'Send one PDF file, in the field "pdf"'
const FORM_REQUIRED = 'Send the PDF as multipart/form-data, in the field "pdf"'
const FORM_UNREADABLE = 'The upload could not be read'
const NOT_A_PDF = 'Please select a PDF file'
const INCOMPLETE = 'The PDF is incomplete: the end of the file is missing'

const REFUSED: [string, () => BodyInit, number, string, Record<string, string>?][] = [
  ['a page that says it is a PDF', () => formWith(Buffer.from(`<html>${' '.repeat(5000)}`)), 415, NOT_A_PDF],
  ['a picture named .pdf', () => formWith(Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')), 415, NOT_A_PDF],
  ['20 MB of something else', () => formWith(Buffer.alloc(MAX_PDF_BYTES)), 415, NOT_A_PDF],
  ['an empty file', () => formWith(Buffer.alloc(0)), 422, 'The PDF is empty'],
  ['the first half of a PDF', () => formWith(aPdf().subarray(0, 2048)), 422, INCOMPLETE],
  ['a PDF without its last line', () => formWith(aPdf().subarray(0, -6)), 422, INCOMPLETE],
  ['a form without a file', () => new FormData(), 400, FIELD_REQUIRED],
  ['an empty body', () => '', 400, FIELD_REQUIRED, MULTIPART],
  ['the PDF in another field', () => formWith(aPdf(), { field: 'file' }), 400, FIELD_REQUIRED],
  ['the PDF as a text', textField, 400, FIELD_REQUIRED],
  ['two files', twoFiles, 400, FIELD_REQUIRED],
  ['JSON', () => '{"pdf":"JVBERi0="}', 415, FORM_REQUIRED, { 'content-type': 'application/json' }],
  ['the PDF alone', () => aPdf(), 415, FORM_REQUIRED, { 'content-type': 'application/pdf' }],
  ['a form without its mark', () => FORM.head, 400, FORM_UNREADABLE, { 'content-type': 'multipart/form-data' }],
  ['a form that breaks off', () => `${FORM.head}${aPdf().toString('latin1')}`, 400, FORM_UNREADABLE, MULTIPART],
  ['a form that breaks off in a heading', () => FORM.head.slice(0, 60), 400, FORM_UNREADABLE, MULTIPART],
  ['no form at all', () => 'pdf', 400, FORM_UNREADABLE, MULTIPART],
]

test.each(REFUSED)('%s is refused, and the earlier PDF stays', async (_what, body, status, error, headers) => {
  const place = await aPlaceForAPdf()
  const first = aPdf()
  await upload(place, formWith(first))
  expect(await upload(place, body(), headers)).toMatchObject({ status, body: { error } })
  expect((await download(place)).bytes).toEqual(first)
  expect(storedFiles()).toHaveLength(1)
})

describe('an upload that does not end well', () => {
  test('is cut off while it streams, once it is over 20 MB', async () => {
    const place = await aPlaceForAPdf()
    const endless = begin(place)
    const closed = new Promise((resolve) => endless.once('close', resolve))
    const answer = answerOf(endless)
    const pdf = function* () {
      yield Buffer.from('%PDF-1.7\n')
      for (let n = 0; n < 2000; n += 1) yield Buffer.alloc(MB / 4)
    }
    const sent = await pour(endless, pdf())
    expect(await answer).toMatchObject({
      status: 413,
      body: { error: 'The PDF is larger than 20 MB' },
      headers: { connection: 'close' },
    })
    expect(sent).toBeLessThan(40 * MB)
    await closed
    expect(storedFiles()).toEqual([])
  })

  test('is refused before anything is stored where its length says that it is too large', async () => {
    const place = await aPlaceForAPdf()
    const large = begin(place, { 'content-length': 25 * MB })
    large.write('%PDF-1.7\n')
    expect(await answerOf(large)).toMatchObject({ status: 413, headers: { connection: 'close' } })
    expect(storedFiles()).toEqual([])
    large.destroy()
  })

  test('is answered at once where it is no PDF, while the client is still sending', async () => {
    const place = await aPlaceForAPdf()
    const page = begin(place, { 'content-length': 10 * MB })
    page.write('<html>'.repeat(500))
    expect(await answerOf(page)).toMatchObject({ status: 415, body: { error: NOT_A_PDF } })
    page.destroy()
  })

  test('leaves nothing where the client goes away midway', async () => {
    const place = await aPlaceForAPdf()
    const half = begin(place)
    half.write(aPdf(5 * MB))
    await expect.poll(() => storedFiles().some((file) => statSync(file).size > MB)).toBe(true)
    half.destroy()
    await expect.poll(storedFiles).toEqual([])
    expect(await download(place)).toMatchObject({ status: 404 })
  })

  test('leaves nothing where the client goes away at its beginning or its end', async () => {
    const place = await aPlaceForAPdf()
    for (const pieces of [[], [Buffer.from('%PDF')], [aPdf(2 * MB), Buffer.from(FORM.tail.slice(0, 5))]]) {
      const upload = begin(place)
      for (const piece of pieces) upload.write(piece)
      await once(upload, 'socket')
      await new Promise((resolve) => upload.write('x', resolve))
      upload.destroy()
    }
    // Every earlier upload has been given up once this one is through.
    expect(await upload(place, formWith(aPdf()))).toMatchObject({ status: 201 })
    await expect.poll(() => storedFiles().length).toBe(1)
  })
})

test('an upload that falls silent for a minute is given up, and leaves nothing', async () => {
  const place = await aPlaceForAPdf()
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  const silent = begin(place)
  const closed = new Promise((resolve) => silent.once('close', resolve))
  try {
    silent.write(aPdf(MB))
    // All of it has come: what is still on its way would count as moving.
    await expect.poll(() => storedFiles().some((file) => statSync(file).size > 0.9 * MB)).toBe(true)
    vi.advanceTimersByTime(60_000)
  } finally {
    vi.useRealTimers()
  }
  await closed
  await expect.poll(storedFiles).toEqual([])
})

describe('while 20 MB are uploaded', () => {
  test('no more is taken from the client than the storage takes', async () => {
    const place = await aPlaceForAPdf()
    const { promise: opened, resolve: openGate } = Promise.withResolvers<void>()
    gate.next = () => opened
    const slow = begin(place)
    slow.write('%PDF-1.7\n')
    let sent = 0
    const pieces = function* () {
      for (; sent < 19 * MB; sent += MB / 8) yield Buffer.alloc(MB / 8)
    }
    const poured = pour(slow, pieces())
    let before = -1
    await expect.poll(() => before === (before = sent), { interval: 200 }).toBe(true)
    // What the system's own buffers hold between two sockets.
    expect(sent).toBeLessThan(12 * MB)
    gate.next = async () => {}
    openGate()
    await poured
    slow.end(`startxref\n9\n%%EOF\n${FORM.tail}`)
    expect(await answerOf(slow)).toMatchObject({ status: 201 })
  })

  test('memory stays flat', async () => {
    setFlagsFromString('--expose-gc')
    const collect: () => void = runInNewContext('gc')
    const place = await aPlaceForAPdf()
    // What earlier uploads have left is removed in two runs.
    collect()
    await new Promise(setImmediate)
    collect()
    const before = process.memoryUsage().arrayBuffers
    const held: number[] = []
    let pieces = 0
    gate.next = async () => {
      pieces += 1
      if (pieces % 20 !== 0) return
      collect()
      held.push(process.memoryUsage().arrayBuffers)
    }
    const piece = Buffer.alloc(MB / 16)
    const large = begin(place)
    large.write('%PDF-1.7\n')
    const answer = answerOf(large)
    await pour(
      large,
      Array.from({ length: 19 * 16 }, () => piece),
    )
    large.end(`startxref\n9\n%%EOF\n${FORM.tail}`)
    expect(await answer).toMatchObject({ status: 201 })
    gate.next = async () => {}
    expect(held.length).toBeGreaterThan(4)
    // Pieces under way, on both ends; a PDF that is held would show as 20 MB.
    expect(Math.max(...held) - before).toBeLessThan(10 * MB)
  })
})

describe('who may use a PDF', () => {
  const ways = [
    ['GET', undefined],
    ['HEAD', undefined],
    ['POST', () => formWith(aPdf())],
    ['DELETE', undefined],
  ] as const

  test.each(ways)("%s of another account's is 404 and changes nothing", async (method, body) => {
    const place = await aPlaceForAPdf()
    const pdf = aPdf()
    await upload(place, formWith(pdf))
    const headers = bearer(await anAccount(world))
    const answer = await fetch(place.url, { method, headers, ...(body && { body: body() }) })
    expect(answer.status).toBe(404)
    expect(await answer.text()).toBe(
      method === 'HEAD' ? '' : '{"error":"Contract not found","refusal":"CONTRACT_NOT_FOUND"}',
    )
    expect((await download(place)).bytes).toEqual(pdf)
    expect(storedFiles()).toHaveLength(1)
  })

  test.each(ways)('%s without a token is 401', async (method, body) => {
    const { url } = await aPlaceForAPdf()
    expect((await fetch(url, { method, ...(body && { body: body() }) })).status).toBe(401)
  })

  test.each(ways)('%s without a subscription is 402', async (method, body) => {
    const { url } = await aPlaceForAPdf()
    const headers = bearer(await anAccount(world, { status: null }))
    expect((await fetch(url, { method, headers, ...(body && { body: body() }) })).status).toBe(402)
  })

  test('an unpaid subscription does not write', async () => {
    const { url } = await aPlaceForAPdf()
    const headers = bearer(await anAccount(world, { status: 'unpaid' }))
    expect((await fetch(url, { headers })).status).toBe(404)
    expect((await fetch(url, { headers, method: 'POST', body: formWith(aPdf()) })).status).toBe(402)
    expect((await fetch(url, { headers, method: 'DELETE' })).status).toBe(402)
  })

  test('a number that is none is 400', async () => {
    const { url, headers } = await aPlaceForAPdf()
    const wrong = url.replace(/contracts\/\d+/, 'contracts/one')
    for (const [method, body] of ways) {
      expect((await fetch(wrong, { method, headers, ...(body && { body: body() }) })).status).toBe(400)
    }
  })
})

describe('a PDF that is read', () => {
  test('is shown in the browser, can run no script, and is kept by nobody', async () => {
    const place = await aPlaceForAPdf('Müller "Söhne" GmbH')
    await upload(place, formWith(aPdf()))
    const { status, headers } = await download(place)
    const id = place.url.match(/contracts\/(\d+)/)?.[1]
    expect(status).toBe(200)
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-type': 'application/pdf',
      'content-length': '4096',
      'content-disposition':
        `inline; filename="Muller Sohne GmbH contract ${id}.pdf"; ` +
        `filename*=UTF-8''M%C3%BCller%20S%C3%B6hne%20GmbH%20contract%20${id}.pdf`,
      'content-security-policy': "default-src 'none'; base-uri 'none'; frame-ancestors 'none'; sandbox",
      'x-content-type-options': 'nosniff',
      'cache-control': 'private, no-store',
      'accept-ranges': 'bytes',
    })
  })

  test('is measured by HEAD', async () => {
    const place = await aPlaceForAPdf()
    await upload(place, formWith(aPdf(70_000)))
    const answer = await fetch(place.url, { method: 'HEAD', headers: place.headers })
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-length')).toBe('70000')
    expect(answer.headers.get('content-type')).toBe('application/pdf')
    expect(await answer.text()).toBe('')
  })

  test('is read in part where one part is asked for', async () => {
    const place = await aPlaceForAPdf()
    const pdf = aPdf(200_000)
    await upload(place, formWith(pdf))
    const { status, headers, bytes } = await download(place, { range: 'bytes=100000-149999' })
    expect(status).toBe(206)
    expect(headers.get('content-range')).toBe('bytes 100000-149999/200000')
    expect(Buffer.compare(bytes, pdf.subarray(100_000, 150_000))).toBe(0)
    expect(await download(place, { range: 'bytes=200000-' })).toMatchObject({ status: 200 })
  })

  test('that is not there is 404, also for DELETE', async () => {
    const place = await aPlaceForAPdf()
    for (const method of ['GET', 'DELETE']) {
      const answer = await fetch(place.url, { method, headers: place.headers })
      expect(answer.status).toBe(404)
      expect(await answer.json()).toEqual({ error: 'This contract has no PDF', refusal: 'PDF_NOT_FOUND' })
    }
  })
})

describe('a PDF is deleted', () => {
  test('by DELETE, and restored', async () => {
    const place = await aPlaceForAPdf()
    const pdf = aPdf()
    await upload(place, formWith(pdf))
    const answer = await fetch(place.url, { method: 'DELETE', headers: place.headers })
    expect(answer.status).toBe(204)
    expect(await download(place)).toMatchObject({ status: 404 })
    const restore = () => fetch(`${place.url}/restore`, { method: 'POST', headers: place.headers })
    const restored = await restore()
    expect({ status: restored.status, body: await restored.json() }).toEqual({
      status: 200,
      body: { pdfPath: new URL(place.url).pathname },
    })
    expect((await download(place)).bytes).toEqual(pdf)
    expect((await restore()).status).toBe(404)
  })

  test('with its contract, once that is deleted for good', async () => {
    const place = await aPlaceForAPdf()
    await upload(place, formWith(aPdf()))
    const contract = place.url.replace('/pdf', '')
    await fetch(contract, { method: 'DELETE', headers: place.headers })
    expect(storedFiles()).toHaveLength(1)
    await fetch(contract.replace('/contracts/', '/trash/contracts/'), { method: 'DELETE', headers: place.headers })
    expect(storedFiles()).toEqual([])
  })
})

test('everywhere else a body is at most 1 MB, whatever it is', async () => {
  const { url, headers } = await aPlaceForAPdf()
  const contract = url.replace('/pdf', '')
  const large = JSON.stringify({ status: 'x'.repeat(2 * MB) })
  const sent = { method: 'PUT', headers: { ...headers, 'content-type': 'application/json' }, body: large }
  expect((await fetch(contract, sent)).status).toBe(413)
  expect((await fetch(contract, { method: 'PUT', headers, body: formWith(aPdf()) })).status).toBe(415)
})
