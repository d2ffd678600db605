import { readdir, readFile, writeFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

const brotli = promisify(brotliCompress)
const zip = promisify(gzip)

/** HTML is missing here because the server fills it in for every answer. */
const COMPRESSIBLE = new Set(['.js', '.css', '.svg', '.json', '.txt', '.xml', '.wasm'])
const WORTH_IT = 512

/** Writes `.br` and `.gz` beside every file that gains by it. */
export async function compressFolder(folder: string): Promise<void> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile() && COMPRESSIBLE.has(extname(entry.name)))
  await Promise.all(files.map((entry) => compressFile(join(entry.parentPath, entry.name))))
}

async function compressFile(path: string): Promise<void> {
  const bytes = await readFile(path)
  if (bytes.length < WORTH_IT) return

  const params = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length }
  await Promise.all([
    brotli(bytes, { params }).then((small) => writeFile(`${path}.br`, small)),
    zip(bytes, { level: 9 }).then((small) => writeFile(`${path}.gz`, small)),
  ])
}
