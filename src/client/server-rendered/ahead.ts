import { hydrate, type DehydratedState, type QueryClient } from '@tanstack/react-query'
import superjson from 'superjson'
import type { Known } from '#shared/ahead.ts'
import { pageAge } from '#client/browser/page-age.ts'

/** What a page that was rendered ahead brings with it: who it is for, and the answers that it was rendered from. */
export interface Ahead {
  /** The address that it shows. */
  href: string
  known: Known
  answers: DehydratedState
}

const ELEMENT = 'ahead'
const FRESH_MS = 30_000

/** As an element of the page that is data, and no script: nothing in it can end the element. */
export function writeAhead(ahead: Ahead): string {
  const data = superjson.stringify(ahead).replaceAll('<', String.raw`\u003c`)
  return `<script type="application/json" id="${ELEMENT}">${data}</script>`
}

/** Undefined on a page that is the shell alone. */
export function readAhead(page: Pick<Document, 'getElementById'>): Ahead | undefined {
  const text = page.getElementById(ELEMENT)?.textContent
  return text ? superjson.parse<Ahead>(text) : undefined
}

/** From here on the answers are fresh, whatever the clocks say: the page is taken over before they are asked again. */
export function takeAnswers(queryClient: QueryClient, { answers }: Ahead): void {
  for (const { state } of answers.queries) state.dataUpdatedAt = Date.now()
  hydrate(queryClient, answers)
}

/**
 * A tab that was opened in the background is taken over only once it is shown. What it shows then is asked again, each
 * answer as soon as its part of the page has been taken over.
 */
export function doubtOldAnswers(queryClient: QueryClient): void {
  if (pageAge() > FRESH_MS) void queryClient.invalidateQueries({ refetchType: 'none' })
}
