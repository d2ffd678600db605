import { isUtf8 } from 'node:buffer'
import { createHash } from 'node:crypto'
import { open, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fc, test as property } from '@fast-check/vitest'
import { expect, test } from 'vitest'
import { openSheet, readBytes, saveUpload } from './upload-file.ts'

async function* pieces(...chunks: Uint8Array[]) {
  yield* chunks
}

const someBytes = fc.oneof(
  fc.uint8Array({ maxLength: 12 }),
  fc.string({ unit: 'grapheme', maxLength: 6 }).map((text) => new Uint8Array(Buffer.from(text))),
)

property.prop([fc.array(someBytes, { maxLength: 4 }), fc.integer({ min: 1, max: 3 })])(
  'an upload is kept as it came, and whether it is UTF-8 does not depend on its pieces',
  async (parts, size) => {
    const whole = Buffer.concat(parts)
    const chunks = Array.from({ length: Math.ceil(whole.length / size) }, (_, n) =>
      whole.subarray(n * size, (n + 1) * size),
    )
    await using kept = await saveUpload(pieces(...chunks), { content: 'upload', mostBytes: 1000 })
    expect(await readBytes(kept.stored.file, 0, whole.length)).toEqual(whole)
    expect(kept.stored).toMatchObject({ size: whole.length, firstBytes: whole, isUtf8: isUtf8(whole) })
    expect(kept.sha256).toEqual(createHash('sha256').update(whole).digest())
  },
)

test('an upload beyond the limit is given up', async () => {
  await expect(
    saveUpload(pieces(Buffer.alloc(6), Buffer.alloc(6)), { content: 'upload', mostBytes: 10 }),
  ).rejects.toMatchObject({ key: 'IMPORT_TOO_LARGE' })
})

test('a file that is left before its end stays open for whoever has opened it, and is read again', async () => {
  const path = join(tmpdir(), `traxx-sheet-${process.pid}.csv`)
  const bytes = Buffer.from(`Name,Phone\n${'A,1\n'.repeat(100_000)}`)
  await writeFile(path, bytes)
  const file = await open(path)
  const sheet = await openSheet(
    {
      content: 'upload',
      file: file.fd,
      size: bytes.length,
      lines: 100_001,
      firstBytes: bytes.subarray(0, 100),
      isUtf8: true,
    },
    'customers',
  )
  for await (const lines of sheet.lines()) if (lines.length > 0) break
  expect((await file.stat()).size).toBe(bytes.length)
  let rows = 0
  for await (const lines of sheet.lines()) rows += lines.length
  expect(rows).toBe(100_001)
  await file.close()
  await rm(path)
})
