import { mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { builtName, isBuilt, SOURCES, sourcesHash, type ReaderSources } from '#server/imports/sheet/reader-program.ts'

const ROOT = dirname(import.meta.dirname)
const FOLDER = join(ROOT, 'dist/readers')
const READERS = ['src/server/archives/read-archive.ts', 'src/server/imports/sheet/read-xlsx.ts']

/** Builds each program that reads a file into a single one, into dist/readers, or finds them fresh. */
export async function buildReaders({ ifStale }: { ifStale: boolean }): Promise<void> {
  if (ifStale && READERS.every((source) => isBuilt(source))) return
  const folder = join(ROOT, 'dist', `.building-${process.pid}`)
  const sources: ReaderSources = {}
  try {
    for (const source of READERS) {
      const files = await buildReader(source, folder)
      sources[builtName(source)] = { files, hash: sourcesHash(files) }
    }
    await writeFile(join(folder, SOURCES), JSON.stringify(sources))
    await mkdir(FOLDER, { recursive: true })
    // One by one, as a server that runs may start one at any time. The sources come last: until then they are not those.
    for (const name of [...Object.keys(sources), SOURCES]) await rename(join(folder, name), join(FOLDER, name))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Returns which files of ours are in it. */
async function buildReader(source: string, outDir: string): Promise<string[]> {
  const { build } = await import('vite')
  const built = await build({
    root: ROOT,
    configFile: false,
    publicDir: false,
    logLevel: 'warn',
    ssr: { noExternal: true },
    build: {
      ssr: source,
      outDir,
      emptyOutDir: false,
      rolldownOptions: { output: { entryFileNames: builtName(source), codeSplitting: false } },
    },
  })
  if (!('output' in built)) throw new Error(`${source} was not built`)
  const modules = built.output.flatMap((file) => (file.type === 'chunk' ? file.moduleIds : []))
  const files = modules.filter((file) => file.startsWith(join(ROOT, 'src/'))).map((file) => relative(ROOT, file))
  // Whose versions of packages are in it.
  return [...files, 'package-lock.json'].toSorted()
}
