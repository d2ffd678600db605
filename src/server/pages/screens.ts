import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { AheadPage, Ask, RenderAhead } from '#shared/ahead.ts'
import type { RequestContext } from '#server/context.ts'
import { appRouter } from '#server/routers/index.ts'
import { createCallerFactory } from '#server/trpc.ts'
import { NONCE } from './nonce.ts'

/** Renders screens on the server, so that the first page of a visit shows them before any script has run. */
export interface Screens {
  /** Reads what renders, so that the first visitor need not wait for that. */
  prepare(): Promise<void>
  /**
   * The whole page. Undefined for a screen that is not rendered ahead, and where the browser has
   * more to do than to show it.
   */
  render(request: Pick<FastifyRequest, 'url'>, visitor: Visitor): Promise<string | undefined>
}

export interface Visitor {
  context: RequestContext
  /** How long their token is good for. */
  tokenForMs: number
  /** By which the page's policy knows its own scripts and styles. */
  nonce: string
}

const Pages = z.record(z.string(), z.string())
const callerOf = createCallerFactory(appRouter)

/** The screens as they were built into this folder; read when the first one is asked for. */
export function builtScreens(folder: string): Screens {
  let opened: ReturnType<typeof open> | undefined
  const openOnce = () => (opened ??= open(folder))
  return {
    prepare: async () => void (await openOnce()),
    async render({ url }, { context, tokenForMs, nonce }) {
      const { pages, renderAhead } = await openOnce()
      const page = pages[url.split('?')[0] ?? '']
      if (!page || !context.caller) return undefined
      const { clerkUserId: id, name, email, timeZone } = context.caller
      const known = { id, name, email, tokenForMs, timeZone }
      const screen = await renderAhead({ href: url, known, ask: askerFor(context), nonce })
      return screen && withScreen(page.replaceAll(NONCE, nonce), screen)
    },
  }
}

function withScreen(page: string, { title, html, state }: AheadPage): string {
  return page
    .replace('<title>TRAXX</title>', () => `<title>${title}</title>`)
    .replace('<div id="root"></div>', () => `<div id="root">${html}</div>${state}`)
}

interface Built {
  /** The page around each screen, by its path. */
  pages: Record<string, string>
  renderAhead: RenderAhead
}

async function open(folder: string): Promise<Built> {
  const { renderAhead }: { renderAhead: RenderAhead } = await import(
    pathToFileURL(join(folder, 'render-ahead.js')).href
  )
  return { renderAhead, pages: Pages.parse(JSON.parse(await readFile(join(folder, 'pages.json'), 'utf8'))) }
}

/** The same procedures that a request would call, with the same checks. */
function askerFor(context: RequestContext): Ask {
  const caller = callerOf(context)
  return async (path, input) => {
    const procedure = path.split('.').reduce<unknown>(memberOf, caller)
    if (typeof procedure !== 'function') throw new Error(`There is no procedure ${path}`)
    return procedure(input)
  }
}

// The caller is a function all the way down, which knows its members only when they are called.
function memberOf(parent: unknown, name: string): unknown {
  return typeof parent === 'function' || (typeof parent === 'object' && parent !== null)
    ? Reflect.get(parent, name)
    : undefined
}
