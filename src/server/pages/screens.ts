import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { TRPCClientError, unstable_localLink as localLink, type TRPCLink } from '@trpc/client'
import { observable } from '@trpc/server/observable'
import superjson from 'superjson'
import type { CookieVisitor } from '#shared/visitor.ts'
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
  /** The styles that the screen has besides those of the app, and links to its scripts. */
  files: string
}

interface Renderer {
  isScreen: (pathname: string) => boolean
  renderScreen: (screen: {
    request: Request
    visitor: CookieVisitor
    link: TRPCLink<AppRouter>
    nonce: string
  }) => Promise<(Omit<RenderedScreen, 'files'> & { routeId: string }) | undefined>
}

/** As the build has written them, by the route of the screen. */
type Files = Record<string, string>

/** The screens as they were built into this folder; read when the first one is asked for. */
export function builtScreens(folder: string): Screens {
  let opened: Promise<[Renderer, Files]> | undefined
  const open = () => {
    opened ??= Promise.all([
      import(pathToFileURL(join(folder, '.server/render-screen.js')).href),
      readFile(join(folder, '.server/files.json'), 'utf8').then(JSON.parse),
    ])
    // What could not be read now may be readable at the next request.
    opened.catch(() => (opened = undefined))
    return opened
  }
  return {
    prepare: async () => void (await open()),
    async has(url) {
      const [{ isScreen }] = await open()
      return isScreen(url.replace(/[?#].*/s, ''))
    },
    async render(url, { context, tokenForMs, nonce }) {
      if (!context.caller) return undefined
      const { clerkUserId: id, name, email, timeZone } = context.caller
      const visitor = { id, name, email, tokenForMs, timeZone }
      // As one text: relative to an origin, an address that begins with two slashes would name a host.
      const address = URL.parse(context.origin + url)
      if (!address) return undefined
      const request = new Request(address)
      const [{ renderScreen }, files] = await open()
      const screen = await renderScreen({ request, visitor, link: queriesOf(context), nonce })
      return screen && { ...screen, files: files[screen.routeId] ?? '' }
    },
  }
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
