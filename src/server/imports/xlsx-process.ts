import { fstatSync, readSync } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { AppError } from '#shared/errors.ts'
import { readXlsx } from './read-xlsx.ts'
import { exitCodeOf, SPREADSHEET_FILE } from './xlsx-refusals.ts'

// The other side of convert-xlsx.ts: a spreadsheet comes in as an open file, and goes out as a line of JSON for each row.
const CHARACTERS_AT_ONCE = 65_536

try {
  await pipeline(Readable.from(written()), process.stdout)
} catch (error) {
  const code = error instanceof AppError ? exitCodeOf(error.key) : undefined
  if (code === undefined) throw error
  process.exitCode = code
}

async function* written(): AsyncGenerator<string> {
  let text = ''
  for await (const { line, cells } of readXlsx(bytesOf(SPREADSHEET_FILE))) {
    text += `${JSON.stringify([line, ...cells])}\n`
    if (text.length < CHARACTERS_AT_ONCE) continue
    yield text
    text = ''
  }
  if (text !== '') yield text
}

function bytesOf(file: number): Buffer {
  const bytes = Buffer.alloc(fstatSync(file).size)
  for (let read = 0; read < bytes.length;) {
    const more = readSync(file, bytes, read, bytes.length - read, read)
    if (more === 0) throw new Error('The upload is shorter than it was')
    read += more
  }
  return bytes
}
