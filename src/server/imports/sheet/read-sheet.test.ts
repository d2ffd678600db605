import { open, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openSheet } from './read-sheet.ts'

test('a file that is left before its end stays open for whoever has opened it, and is read again', async () => {
  const path = join(tmpdir(), `traxx-sheet-${process.pid}.csv`)
  const bytes = Buffer.from(`Name,Phone\n${'A,1\n'.repeat(100_000)}`)
  await writeFile(path, bytes)
  const file = await open(path)
  const sheet = openSheet(
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
