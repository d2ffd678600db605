import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join, parse, resolve } from 'node:path'
import { z } from 'zod'

const ROOT = resolve(import.meta.dirname, '../../../..')
const FOLDER = join(ROOT, 'dist/readers')
/** The file beside built readers that says what they are made of. */
export const SOURCES = 'sources.json'

/** What a built reader is made of, by its name: our own files, from the root of the project, and their hash. */
export type ReaderSources = z.output<typeof ReaderSources>
const ReaderSources = z.record(z.string(), z.object({ files: z.array(z.string()), hash: z.string() }))

/** What was chosen for a reader, by the path where its built one would be. */
const chosen = new Map<string, string[]>()

/**
 * The arguments by which Node runs a reader of files: what it may read, and its program. A built one is a single file, which
 * starts in a quarter of the time. Where none was built from these very sources, the source itself. Chosen once in each
 * process, as that reads all these sources.
 */
export function readerProgram(source: string, folder = FOLDER): string[] {
  const key = join(folder, builtName(source))
  const known = chosen.get(key) ?? chooseProgram(source, folder)
  chosen.set(key, known)
  return known
}

function chooseProgram(source: string, folder: string): string[] {
  const built = join(folder, builtName(source))
  if (existsSync(built) && isBuilt(source, folder)) return [`--allow-fs-read=${built}`, built]
  const reads = ['src/*', 'node_modules/*', 'package.json'].map((path) => `--allow-fs-read=${resolve(ROOT, path)}`)
  return [...reads, source]
}

/** What the build calls a reader. */
export function builtName(source: string): string {
  return `${parse(source).name}.mjs`
}

/** Whether a reader was built from what its sources are now. */
export function isBuilt(source: string, folder = FOLDER): boolean {
  const list = join(folder, SOURCES)
  if (!existsSync(list)) return false
  const built = ReaderSources.parse(JSON.parse(readFileSync(list, 'utf8')))[builtName(source)]
  return built !== undefined && built.hash === sourcesHash(built.files)
}

/** One hash of the content of our own files; a missing one has none. */
export function sourcesHash(files: readonly string[]): string {
  const hash = createHash('sha256')
  for (const file of files) if (existsSync(join(ROOT, file))) hash.update(readFileSync(join(ROOT, file))).update('\0')
  return hash.digest('hex')
}
