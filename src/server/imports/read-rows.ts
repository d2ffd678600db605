import { z } from 'zod'
import type { SheetLine } from './read-csv.ts'

const Row = z.tuple([z.int()], z.union([z.string(), z.number(), z.boolean()]))

/** The rows of a workbook, some at a time, as xlsx-process.ts writes them: a line of JSON each. */
export async function* readRows(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<SheetLine[]> {
  const decoder = new TextDecoder()
  let rest = ''
  for await (const chunk of bytes) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n')
    rest = lines.pop() ?? ''
    yield lines.map(lineOf)
  }
}

function lineOf(text: string): SheetLine {
  const [line, ...cells] = Row.parse(JSON.parse(text))
  return { line, cells }
}
