import { mkdtemp, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { BulkUpload } from '#shared/schemas/imports.ts'
import { aSpreadsheet } from '#support/spreadsheet.ts'
import { openReader } from './sheet-reader.ts'

test('of spreadsheets one is read at a time; another waits until its reader is closed, or its sender has gone', async () => {
  const content = aSpreadsheet([['Name'], ['Acme']])
  const folder = await mkdtemp(join(tmpdir(), 'traxx-'))
  const file = await open(join(folder, 'sheet.xlsx'), 'w+')
  await file.write(content)
  const upload = { file: file.fd, size: content.length, lines: 1, head: content, isUtf8: false }
  const task = { kind: 'customers' as const, answers: BulkUpload.parse({}), upload }
  const { signal } = new AbortController()
  const gone = new AbortController()
  const first = await openReader(task, { accountId: 1, signal })
  const second = openReader(task, { accountId: 2, signal: gone.signal })
  const third = openReader(task, { accountId: 3, signal })
  gone.abort()
  await expect(second).rejects.toMatchObject({ key: 'IMPORT_BUSY' })
  await first[Symbol.asyncDispose]()
  await using last = await third
  expect(last.survey.rows).toBe(1)
  await file.close()
  await rm(folder, { recursive: true })
})
