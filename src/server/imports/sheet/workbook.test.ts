import { zipSync } from 'fflate'
import { expect, test } from 'vitest'
import { listParts, unpackPart } from './workbook.ts'

const DIRECTORY = Buffer.from('PK\u0001\u0002')
const TEXT = Buffer.from('text '.repeat(1000))

function archive(parts: Record<string, Uint8Array> = { 'xl/a.xml': TEXT, 'xl/picture.png': Buffer.alloc(9) }): Buffer {
  return Buffer.from(zipSync(parts))
}

/** The same archive, whose directory says another size of its first part. */
function claiming(bytes: Buffer, size: number): Buffer {
  bytes.writeUInt32LE(size, bytes.indexOf(DIRECTORY) + 24)
  return bytes
}

/** The same archive, with a wrong offset of its directory. */
function misplaced(bytes: Buffer): Buffer {
  bytes.writeUInt32LE(1, bytes.length - 6)
  return bytes
}

async function unpack(bytes: Buffer): Promise<Buffer[]> {
  const readAt = (position: number, length: number) => bytes.subarray(position, position + length)
  return (await listParts(bytes.length, readAt)).map((part) => unpackPart(bytes, part))
}

test('the parts that hold text are unpacked, and no others', async () => {
  expect(await unpack(archive())).toEqual([TEXT])
})

test('an archive may end with a comment', async () => {
  const bytes = Buffer.concat([archive(), Buffer.from('PK, as they say')])
  bytes.writeUInt16LE(15, bytes.length - 15 - 2)
  expect(await unpack(bytes)).toEqual([TEXT])
})

test('sizes that stand in an extra field of 64 bits are read there', async () => {
  const bytes = archive({ 'xl/a.xml': TEXT })
  const at = bytes.indexOf(DIRECTORY)
  const extra = Buffer.alloc(12)
  extra.writeUInt16LE(1, 0)
  extra.writeUInt16LE(8, 2)
  extra.writeBigUInt64LE(BigInt(TEXT.length), 4)
  bytes.writeUInt32LE(0xffffffff, at + 24)
  bytes.writeUInt16LE(12, at + 30)
  const end = bytes.length - 22
  bytes.writeUInt32LE(bytes.readUInt32LE(end + 12) + 12, end + 12)
  expect(await unpack(Buffer.concat([bytes.subarray(0, end), extra, bytes.subarray(end)]))).toEqual([TEXT])
})

test.each([
  ['says that it unpacks to less', () => claiming(archive(), TEXT.length - 1), 'IMPORT_UNREADABLE'],
  ['says that it unpacks to more', () => claiming(archive(), TEXT.length + 1), 'IMPORT_UNREADABLE'],
  ['says that it unpacks to too much', () => claiming(archive(), 97 * 1024 * 1024), 'IMPORT_SHEET_TOO_LARGE'],
  ['has no end', () => archive().subarray(0, -10), 'IMPORT_UNREADABLE'],
  ['has no directory where it says', () => misplaced(archive()), 'IMPORT_UNREADABLE'],
  ['is empty', () => Buffer.alloc(0), 'IMPORT_UNREADABLE'],
])('an archive that %s is refused', async (_what, make, key) => {
  await expect(unpack(make())).rejects.toMatchObject({ key })
})
