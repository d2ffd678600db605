import type { Known } from '#shared/visitor.ts'
import { pageAge } from '#client/browser/page-age.ts'

// Time for a call to arrive with it.
const SPARE_MS = 5000

/** The token that the page itself was asked for with, from the provider's own cookie, as long as it is good. */
export function earlyToken({ tokenForMs }: Known): string | undefined {
  if (pageAge() > tokenForMs - SPARE_MS) return undefined
  return document.cookie.match(/(?:^|;\s*)__session=([^;]+)/)?.[1]
}
