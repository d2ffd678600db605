import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** What the build says of its files, by the name of their source. */
type Manifest = Record<string, Chunk>

interface Chunk {
  file: string
  css?: string[]
  imports?: string[]
  isEntry?: boolean
}

const APP = 'main.tsx'
const ROUTE = /^routes\/(.+)\.tsx\?/

/** The address of the app's script, and its styles. */
export async function appFiles(folder: string): Promise<{ script: string; styles: string }> {
  const chunks = chunksOf(APP, await readManifest(folder))
  const app = chunks.at(-1)
  if (!app) throw new Error(`The build has no ${APP}`)
  return { script: `/${app.file}`, styles: await stylesOf(chunks, folder) }
}

/** What each screen has besides: its styles, and links to its scripts. */
export async function filesByRoute(folder: string): Promise<Record<string, string>> {
  const manifest = await readManifest(folder)
  const ofApp = chunksOf(APP, manifest)
  const files: Record<string, string> = {}
  for (const name of Object.keys(manifest)) {
    const route = ROUTE.exec(name)?.[1]
    if (!route) continue
    const chunks = chunksOf(name, manifest).filter(({ isEntry }) => !isEntry)
    const own = chunks.filter((chunk) => !ofApp.includes(chunk))
    const scripts = chunks.map(
      ({ file }) => `<link rel="modulepreload" fetchpriority="low" crossorigin href="/${file}">`,
    )
    files[`/${route.replaceAll('.', '/')}`] = (await stylesOf(own, folder)) + scripts.join('')
  }
  return files
}

async function readManifest(folder: string): Promise<Manifest> {
  return JSON.parse(await readFile(join(folder, '.vite/manifest.json'), 'utf8'))
}

/** A chunk after what it imports, as their styles have to stand: what is its own overrides what it shares. */
function chunksOf(name: string, manifest: Manifest, visited = new Set<string>()): Chunk[] {
  const chunk = manifest[name]
  if (!chunk || visited.has(name)) return []
  visited.add(name)
  return [...(chunk.imports ?? []).flatMap((imported) => chunksOf(imported, manifest, visited)), chunk]
}

/**
 * Styles stand in the page itself: its first paint waits for no other file. By the links, which browsers do not fetch,
 * Vite knows that they are there.
 */
async function stylesOf(chunks: Chunk[], folder: string): Promise<string> {
  const names = chunks.flatMap(({ css = [] }) => css)
  const texts = await Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')))
  const links = names.map((name) => `<link rel="stylesheet" href="/${name}" disabled>`)
  return `<style nonce="__CSP_NONCE__">${texts.join('')}</style>${links.join('')}`
}
