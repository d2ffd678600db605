import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { TRPCClientError, unstable_localLink as localLink, type TRPCLink } from '@trpc/client'
import { observable } from '@trpc/server/observable'
import superjson from 'superjson'
import type { Known } from '#shared/visitor.ts'
import type { RequestContext } from '#server/context.ts'
import { appRouter, type AppRouter } from '#server/routers/index.ts'

/** Renders screens on the server, so that the first page of a visit shows them before any script has run. */
export interface Screens {
  /** Reads what renders, so that the first visitor need not wait for that. */
  prepare(): Promise<void>
  /** Whether the app has a screen at this address, for whomever. */
  has(url: string): Promise<boolean>
  /** Undefined for a screen that is not rendered here, and where the browser has more to do than to show it. */
  render(url: string, visitor: Visitor): Promise<RenderedScreen | undefined>
}

export interface Visitor {
  context: RequestContext
  /** How long their token is good for, in milliseconds. */
  tokenForMs: number
  /** By which the page's policy knows its own scripts and styles. */
  nonce: string
}

export interface RenderedScreen {
  title: string
  /** What the app's element shows, and the data to take over from. */
  html: string
  /** Links to the styles and scripts that the screen has besides those of the app. */
  files: string
}

interface Renderer {
  isScreen: (pathname: string) => boolean
  renderScreen: (screen: {
    request: Request
    known: Known
    link: TRPCLink<AppRouter>
    nonce: string
  }) => Promise<(Omit<RenderedScreen, 'files'> & { routeId: string }) | undefined>
}

/** What the build says of its files, by the name of their source. */
type Manifest = Record<string, { file: string; css?: string[]; imports?: string[] }>

/** The screens as they were built into this folder; read when the first one is asked for. */
export function builtScreens(folder: string): Screens {
  let opened: Promise<[Renderer, Manifest]> | undefined
  const open = () =>
    (opened ??= Promise.all([
      import(pathToFileURL(join(folder, '.server/render-screen.js')).href),
      readFile(join(folder, '.vite/manifest.json'), 'utf8').then(JSON.parse),
    ]))
  return {
    prepare: async () => void (await open()),
    async has(url) {
      const [{ isScreen }] = await open()
      return isScreen(url.replace(/[?#].*/s, ''))
    },
    async render(url, { context, tokenForMs, nonce }) {
      if (!context.caller) return undefined
      const { clerkUserId: id, name, email, timeZone } = context.caller
      const known = { id, name, email, tokenForMs, timeZone }
      const request = new Request(new URL(url, context.origin))
      const [{ renderScreen }, manifest] = await open()
      const screen = await renderScreen({ request, known, link: queriesOf(context), nonce })
      return screen && { ...screen, files: linksOf(screen.routeId, manifest) }
    },
  }
}

/** The files of a route, in the order of the build: without its styles the screen would be painted twice. */
function linksOf(routeId: string, manifest: Manifest): string {
  const source = `routes/${routeId.slice(1).replaceAll('/', '.')}.tsx?`
  const found = new Set<string>()
  const collect = (name: string) => {
    if (found.has(name) || name === 'index.html') return
    found.add(name)
    for (const imported of manifest[name]?.imports ?? []) collect(imported)
  }
  collect(Object.keys(manifest).find((name) => name.startsWith(source)) ?? '')
  return [...found]
    .flatMap((name) => {
      const { file, css = [] } = manifest[name] ?? { file: '' }
      const styles = css.map((one) => `<link rel="stylesheet" crossorigin href="/${one}">`)
      return file ? [...styles, `<link rel="modulepreload" crossorigin href="/${file}">`] : styles
    })
    .join('')
}

/** The same procedures that a request would call, with the same checks. Nothing is changed by looking at a page. */
function queriesOf(context: RequestContext): TRPCLink<AppRouter> {
  const local = localLink({ router: appRouter, createContext: async () => context, transformer: superjson })
  return (runtime) => {
    const call = local(runtime)
    return (options) =>
      options.op.type === 'query'
        ? call(options)
        : observable((observer) => observer.error(new TRPCClientError(`${options.op.path} is no query`)))
  }
}
