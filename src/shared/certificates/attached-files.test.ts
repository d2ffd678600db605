import { deflateSync } from 'node:zlib'
import { expect, onTestFinished, test, vi } from 'vitest'
import { attachedFiles } from './attached-files.ts'

const packed = deflateSync('record')

/** A PDF in which this is attached, under a dictionary with these entries. */
function aPdfWith(content: Buffer, entries: string, end = '\nendstream'): Buffer {
  const names = '1 0 obj\n<< /Names << /EmbeddedFiles << /Names [(a) 2 0 R] >> >> >>\nendobj\n'
  const head = `%PDF-1.7\n${names}2 0 obj\n<< /Type /EmbeddedFile /Params << /Size 6 >> ${entries} >>\nstream\n`
  return Buffer.concat([Buffer.from(head), content, Buffer.from(`${end}\nendobj\n`)])
}

async function textsIn(pdf: Uint8Array): Promise<string[]> {
  const texts: string[] = []
  for await (const file of attachedFiles(pdf)) texts.push(new TextDecoder().decode(file))
  return texts
}

test.each([
  ['as it is', aPdfWith(Buffer.from('record'), '/Length 6')],
  ['packed', aPdfWith(packed, `/Filter /FlateDecode /Length ${packed.length}`)],
  ['packed by a list of one filter', aPdfWith(packed, `/Filter[/FlateDecode]/Length ${packed.length}`)],
  ['with its length elsewhere', aPdfWith(packed, '/Filter /FlateDecode /Length 5 0 R')],
  [
    'with its length elsewhere and other line ends',
    aPdfWith(packed, '/Filter/FlateDecode/Length 5 0 R', '\r\nendstream'),
  ],
  ['without its end', aPdfWith(packed, `/Filter /FlateDecode /Length ${packed.length}`, '')],
])('a file that is attached %s is read', async (_how, pdf) => {
  expect(await textsIn(pdf)).toEqual(['record'])
})

test.each([
  ['at a line end', '\nendstream'],
  ['at another line end', '\r\nendstream'],
  ['at once', 'endstream'],
])('a packed file whose length is elsewhere and that ends %s is read, whatever its last byte is', async (_how, end) => {
  const texts = Array.from({ length: 400 }, (_, index) => `record ${index}`)
  const lastBytes = new Set(texts.map((text) => deflateSync(text).at(-1)))
  expect([...lastBytes]).toEqual(expect.arrayContaining([0x0a, 0x0d]))
  for (const text of texts) {
    const pdf = aPdfWith(deflateSync(text), '/Filter /FlateDecode /Length 5 0 R', end)
    expect(await textsIn(pdf)).toEqual([text])
  }
})

test.each([
  ['with another filter', aPdfWith(packed, `/Filter /LZWDecode /Length ${packed.length}`)],
  ['packed twice', aPdfWith(deflateSync(packed), '/Filter [/FlateDecode /FlateDecode] /Length 5 0 R')],
  ['cut short', aPdfWith(packed.subarray(0, -3), '/Filter /FlateDecode /Length 5 0 R')],
  ['with a wrong length', aPdfWith(packed, '/Filter /FlateDecode /Length 9999999999')],
  ['without a stream', Buffer.from('%PDF-1.7\n2 0 obj\n<< /Type /EmbeddedFile >>\nendobj\n')],
  [
    'unpacking to more than there is room for',
    aPdfWith(deflateSync(Buffer.alloc(65 * 1024 ** 2)), '/Filter /FlateDecode'),
  ],
])('a file that is attached %s is left out', async (_how, pdf) => {
  expect(await textsIn(pdf)).toEqual([])
})

test('files that unpack to more than there is room for together are left out', async () => {
  const half = deflateSync(Buffer.alloc(40 * 1024 ** 2, ' '))
  const pdf = Buffer.concat(
    [half, half].map((bytes) => aPdfWith(bytes, `/Filter /FlateDecode /Length ${bytes.length}`)),
  )
  expect(await textsIn(pdf)).toHaveLength(1)
})

test('a large file whose length is elsewhere takes its room once, however many ends are tried', async () => {
  const large = deflateSync(Buffer.alloc(40 * 1024 ** 2, ' '))
  const good = aPdfWith(packed, `/Filter /FlateDecode /Length ${packed.length}`)
  const pdf = Buffer.concat([aPdfWith(large, '/Filter /FlateDecode /Length 5 0 R', '\r\nendstream'), good])
  expect(await textsIn(pdf)).toHaveLength(2)
})

test('what is unpacked without success takes room as well', async () => {
  const broken = deflateSync(Buffer.alloc(40 * 1024 ** 2, ' '))
  broken.writeUInt8(broken.readUInt8(broken.length - 2) ^ 1, broken.length - 2)
  const good = aPdfWith(packed, `/Filter /FlateDecode /Length ${packed.length}`)
  const bad = aPdfWith(broken, `/Filter /FlateDecode /Length ${broken.length}`)
  expect(await textsIn(Buffer.concat([bad, good]))).toEqual(['record'])
  expect(await textsIn(Buffer.concat([bad, bad, good]))).toEqual([])
})

test('of streams that overlap, no more is read than of as many as fit into the file', async () => {
  const writes = vi.spyOn(WritableStreamDefaultWriter.prototype, 'write')
  onTestFinished(() => writes.mockRestore())
  // Blocks that unpack to nothing, without an end, so that every end of the content is tried.
  const blocks = Buffer.concat([packed.subarray(0, 2), Buffer.alloc(200_000, Buffer.from([0, 0, 0, 0xff, 0xff]))])
  const pdf = aPdfWith(blocks, `${'/Type /EmbeddedFile '.repeat(19)}/Filter /FlateDecode`, '\r\nendstream')
  expect(await textsIn(pdf)).toEqual([])
  const sizes = writes.mock.calls.map(([bytes]) => (bytes instanceof Uint8Array ? bytes.length : 0))
  const read = sizes.reduce((sum, size) => sum + size, 0)
  expect(read).toBeGreaterThan(2 * blocks.length)
  expect(read).toBeLessThanOrEqual(3 * pdf.length)
})
