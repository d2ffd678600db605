import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { STYLE_HASH_FILE, styleHash } from '#server/security/style-hash.ts'
import { buildReaders } from './build-readers.ts'
import { hashInputs, readStamp, stampPath } from './build-stamp.ts'
import { appFiles, filesByRoute } from './page-files.ts'

const ROOT = dirname(import.meta.dirname)
const DIST = join(ROOT, 'dist')
const CLIENT = join(DIST, 'client')
const LEFTOVER = /^\.(building|replaced)-/
const LEFT_OVER_AFTER_MS = 10 * 60_000

/** Builds the browser's files into dist/client, or finds them fresh. */
export async function buildClient({ ifStale }: { ifStale: boolean }): Promise<void> {
  const hash = hashInputs(ROOT)
  if (ifStale && readStamp(CLIENT) === hash) return

  const folder = join(DIST, `.building-${process.pid}`)
  await removeLeftovers()
  try {
    await buildInto(folder)
    await writeFile(stampPath(folder), hash)
    await replaceClient(folder)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function buildInto(folder: string): Promise<void> {
  // A build is one for production, whatever the shell that asks for it says.
  process.env['NODE_ENV'] = 'production'
  const { build } = await import('vite')
  const configFile = join(ROOT, 'vite.config.ts')
  await build({ configFile, logLevel: 'warn', build: { outDir: folder, emptyOutDir: true } })
  await checkStyles(folder)
  const styles = await buildPages(folder)
  await buildShell(folder)
  const { compressFolder } = await import('./compress-folder.ts')
  await compressFolder(folder)
  await buildScreens(folder)
  await writeFile(join(folder, '.server/files.json'), JSON.stringify(await filesByRoute(folder)))
  await writeFile(join(folder, STYLE_HASH_FILE), styleHash(styles))
}

async function checkStyles(folder: string): Promise<void> {
  const { missingStyles } = await import('./mantine-styles.ts')
  const missing = await missingStyles(join(folder, 'assets'))
  if (missing.length > 0) throw new Error(`src/client/app/mantine-styles.ts does not import ${missing.join(', ')}`)
}

interface PagesModule {
  renderPages: () => Record<string, string>
  styles: string
}

/** The pages that need no script: rendered once, here. Returns the style that they have inline. */
async function buildPages(folder: string): Promise<string> {
  const { build } = await import('vite')
  const { default: react } = await import('@vitejs/plugin-react')
  const outDir = join(folder, '.pages')
  await build({
    root: join(ROOT, 'src/client'),
    configFile: false,
    publicDir: false,
    logLevel: 'warn',
    plugins: [react()],
    build: {
      ssr: 'landing/pages.tsx',
      outDir,
      emptyOutDir: true,
      rolldownOptions: { output: { entryFileNames: 'pages.js' } },
    },
  })
  const { renderPages, styles }: PagesModule = await import(pathToFileURL(join(outDir, 'pages.js')).href)
  for (const [name, html] of Object.entries(renderPages())) await writeFile(join(folder, `${name}.html`), html)
  await rm(outDir, { recursive: true })
  return styles
}

/** The page that every screen is shown in, with the app's own script and styles. */
async function buildShell(folder: string): Promise<void> {
  const { script, styles } = await appFiles(folder)
  const shell = await readFile(join(ROOT, 'src/client/index.html'), 'utf8')
  const filled = shell.replace('/main.tsx', script).replace('<!-- __STYLES__ -->', () => styles)
  await writeFile(join(folder, 'index.html'), filled)
}

/** What renders screens on the server, into a folder that is not served. */
async function buildScreens(folder: string): Promise<void> {
  const { build } = await import('vite')
  await build({
    configFile: join(ROOT, 'vite.config.ts'),
    publicDir: false,
    logLevel: 'warn',
    // A renderer's own checks of development would take half of each page's time.
    define: { 'process.env.NODE_ENV': JSON.stringify('production') },
    // In few files it is there at once; as packages it would be hundreds of them.
    ssr: { noExternal: true },
    build: { ssr: 'server-rendered/render-screen.tsx', outDir: join(folder, '.server'), emptyOutDir: true },
  })
}

/** Readers find the old build or the new one, and never half of one. */
async function replaceClient(folder: string): Promise<void> {
  const replaced = join(DIST, `.replaced-${process.pid}`)
  await rename(CLIENT, replaced).catch(ignoreMissing)
  await rename(folder, CLIENT)
  await rm(replaced, { recursive: true, force: true })
}

/** What a build that was killed has left behind. */
async function removeLeftovers(): Promise<void> {
  await mkdir(DIST, { recursive: true })
  for (const name of (await readdir(DIST)).filter((entry) => LEFTOVER.test(entry))) {
    const { mtimeMs } = await stat(join(DIST, name))
    if (Date.now() - mtimeMs > LEFT_OVER_AFTER_MS) await rm(join(DIST, name), { recursive: true, force: true })
  }
}

function ignoreMissing(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ENOENT') throw error
}

if (import.meta.main) {
  const ifStale = process.argv.includes('--if-stale')
  await buildClient({ ifStale })
  await buildReaders({ ifStale })
}
