import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'

/** The screens that the server renders ahead, and the module of each one's route. */
const SCREENS = {
  '/dashboard': 'routes/_app.dashboard.tsx',
  '/contracts': 'routes/_app.contracts.tsx',
  '/customers': 'routes/_app.customers.tsx',
}
const FRAME = ['index.html', 'app/app.tsx', 'routes/__root.tsx', 'routes/_app.tsx']
const ENTRY = /<script type="module"[^>]* src="([^"]+)"[^>]*><\/script>/

const PRELOAD = /\s*<link rel="modulepreload"[^>]*>/g
const STYLESHEET = /\s*<link rel="stylesheet"[^>]*>/g

const Manifest = z.record(
  z.string(),
  z.object({ file: z.string(), imports: z.array(z.string()).default([]), css: z.array(z.string()).default([]) }),
)
type Manifest = z.output<typeof Manifest>

/** Builds what renders screens on the server into a folder of the client's, with the page around each of them. */
export async function buildScreens(root: string, folder: string): Promise<void> {
  const outDir = join(folder, '.screens')
  const { build } = await import('vite')
  const { default: react } = await import('@vitejs/plugin-react')
  await build({
    root: join(root, 'src/client'),
    configFile: false,
    publicDir: false,
    logLevel: 'warn',
    plugins: [react()],
    define: { 'process.env.NODE_ENV': '"production"' },
    // In few files it is there at once; as packages it would be hundreds of them.
    ssr: { noExternal: true },
    build: {
      ssr: 'server-rendered/render-ahead.tsx',
      outDir,
      emptyOutDir: true,
      rolldownOptions: { output: { entryFileNames: 'render-ahead.js' } },
    },
  })
  await writeFile(join(outDir, 'pages.json'), JSON.stringify(await screenPages(folder)))
  await rm(join(folder, '.vite'), { recursive: true })
}

async function screenPages(folder: string): Promise<Record<string, string>> {
  const shell = await readFile(join(folder, 'index.html'), 'utf8')
  const manifest = Manifest.parse(JSON.parse(await readFile(join(folder, '.vite/manifest.json'), 'utf8')))
  const pages = Object.entries(SCREENS).map(async ([path, module]) => {
    return [path, pageOf(shell, await needsOf(folder, manifest, module))] as const
  })
  return Object.fromEntries(await Promise.all(pages))
}

/** The shell with what this screen needs; its scripts are fetched and started once that has been painted. */
function pageOf(shell: string, { styles, sheets, scripts }: Needs): string {
  const entry = shell.match(ENTRY)?.[1]
  if (!entry) throw new Error('The shell has no script to start with')
  return shell
    .replace(ENTRY, '')
    .replaceAll(PRELOAD, '')
    .replaceAll(STYLESHEET, '')
    .replace('</head>', () => `${styles}</head>`)
    .replace('<div id="root">', `${script(KEEP_EARLY_ACTS)}<div id="root">`)
    .replace('</body>', `${script(noteSheets(sheets) + startAfterPaint(entry, scripts))}</body>`)
}

/** What is done before the app can hear of it, for src/client/server-rendered/early-acts.ts. */
const KEEP_EARLY_ACTS = `globalThis.earlyActs = [];
['click', 'input', 'change'].forEach(function (type) {
  addEventListener(type, function (event) { if (globalThis.earlyActs) earlyActs.push(event) }, true)
})`

/** Links that are off, by which the scripts see that they need not fetch them. In the page's own text they would be. */
function noteSheets(sheets: string[]): string {
  return `${JSON.stringify(sheets)}.forEach(function (href) {
  document.head.append(Object.assign(document.createElement('link'), { disabled: true, rel: 'stylesheet', crossOrigin: '', href: href }))
});
`
}

/** Fetched side by side, and run one at a time up to the entry: in between the page can scroll and be typed into. */
function startAfterPaint(entry: string, scripts: string[]): string {
  const inTurn = scripts.slice(0, scripts.indexOf(entry) + 1)
  return `requestAnimationFrame(function () {
  setTimeout(async function () {
    ${JSON.stringify(scripts)}.forEach(function (href) {
      setTimeout(function () {
        document.head.append(Object.assign(document.createElement('link'), { rel: 'modulepreload', crossOrigin: '', href: href }))
      })
    })
    try {
      for (const href of ${JSON.stringify(inTurn)}) {
        await new Promise(function (resolve) { setTimeout(resolve) })
        await import(href)
      }
    } catch (error) {
      failToStart(error)
    }
  })
})`
}

function script(text: string): string {
  return `<script nonce="__CSP_NONCE__">${text}</script>`
}

interface Needs {
  /** Without which the screen cannot be shown, in the page itself: they would be the longest wait. */
  styles: string
  /** Where they would be fetched from. */
  sheets: string[]
  /** Which are going to be imported, each after those it imports. */
  scripts: string[]
}

async function needsOf(folder: string, manifest: Manifest, module: string): Promise<Needs> {
  const modules = [...FRAME, module]
  const keys = Object.keys(manifest).filter((key) => modules.includes(key.split('?')[0] ?? ''))
  const chunks = inOrder(manifest, keys).flatMap((key) => manifest[key] ?? [])
  const css = [...new Set(chunks.flatMap((chunk) => chunk.css))]
  const styles = await Promise.all(
    css.map(async (file) => `<style nonce="__CSP_NONCE__">${await readFile(join(folder, file), 'utf8')}</style>`),
  )
  return {
    styles: styles.join(''),
    sheets: css.map((file) => `/${file}`),
    scripts: chunks.map(({ file }) => `/${file}`),
  }
}

/** With what they import, each after it. */
function inOrder(manifest: Manifest, keys: string[]): string[] {
  const [found, above] = [new Set<string>(), new Set<string>()]
  const add = (key: string) => {
    if (found.has(key)) return
    if (above.has(key)) throw new Error(`${key} imports what imports it, so that both run at once: see vite.config.ts`)
    above.add(key)
    for (const imported of manifest[key]?.imports ?? []) add(imported)
    found.add(key)
  }
  keys.forEach(add)
  return [...found]
}
