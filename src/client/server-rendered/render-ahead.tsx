import { dehydrate, type QueryClient } from '@tanstack/react-query'
import { createMemoryHistory } from '@tanstack/react-router'
import { TRPCClientError } from '@trpc/client'
import { observable } from '@trpc/server/observable'
import { StrictMode } from 'react'
import { renderToString } from 'react-dom/server'
import type { AheadPage, AheadRequest, Ask } from '#shared/ahead.ts'
import { writeAhead } from './ahead.ts'
import { App } from '#client/app/app.tsx'
import { showTimesIn } from '#client/text/format.ts'
import { makeSession } from '#client/identity/session.ts'
import { makeQueryClient } from '#client/api/query-client.ts'
import { makeRouter } from '#client/app/router.tsx'
import { screenTitle } from '#client/browser/screen-title.ts'
import { makeTrpcClientOver, makeTrpcUtils, type TrpcLink } from '#client/api/trpc.ts'

/**
 * A screen as the server sees it, for somebody who is signed in. Undefined where the browser has more to do than to
 * show it: it leads elsewhere, or an answer failed.
 */
export async function renderAhead({ href, known, ask, nonce }: AheadRequest): Promise<AheadPage | undefined> {
  const session = makeSession(known)
  const queryClient = makeQueryClient(() => {})
  const trpcClient = makeTrpcClientOver(linkTo(ask))
  const trpcUtils = makeTrpcUtils(trpcClient, queryClient)
  const router = makeRouter({ trpcClient, trpcUtils, session })
  // Keeping the scroll position is a matter of the browser, for which the server would write a script.
  router.update({
    context: router.options.context,
    history: createMemoryHistory({ initialEntries: [href] }),
    scrollRestoration: false,
  })
  await Promise.all([router.load(), trpcUtils.identity.config.prefetch()])
  await settled(queryClient)
  const { matches, location } = router.state
  const isThere = matches.length > 0 && matches.every(({ status }) => status === 'success') && location.href === href
  if (!isThere || hasFailed(queryClient)) return undefined
  showTimesIn(known.timeZone)
  const html = renderToString(
    <StrictMode>
      <App {...{ router, session, queryClient, trpcClient, nonce }} />
    </StrictMode>,
  )
  return { html, title: screenTitle(matches), state: writeAhead({ href, known, answers: dehydrate(queryClient) }) }
}

// Nothing is changed by looking at a page.
function linkTo(ask: Ask): TrpcLink {
  return () =>
    ({ op }) =>
      observable((observer) => {
        const answer =
          op.type === 'query' ? ask(op.path, op.input) : Promise.reject(new Error(`${op.path} is no query`))
        answer.then(
          (data) => {
            observer.next({ result: { type: 'data', data } })
            observer.complete()
          },
          (error: unknown) => observer.error(TRPCClientError.from(asError(error))),
        )
      })
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error))
}

/** Loaders begin to fetch, and do not wait for what they fetch. */
async function settled(queryClient: QueryClient): Promise<void> {
  await Promise.allSettled(queriesOf(queryClient).map(async ({ promise }) => promise))
}

function hasFailed(queryClient: QueryClient): boolean {
  return queriesOf(queryClient).some(({ state }) => state.status !== 'success')
}

function queriesOf(queryClient: QueryClient) {
  return queryClient.getQueryCache().getAll()
}
