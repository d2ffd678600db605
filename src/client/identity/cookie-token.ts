import type { CookieVisitor } from '#shared/visitor.ts'
import { pageAge } from '#client/browser/page-age.ts'

// Time for a call to arrive with it.
const SPARE_MS = 5000

/**
 * The session token that the page was requested with, from the identity provider's cookie, as long as it is valid: calls
 * need not wait until the provider's own script has started.
 */
export function cookieToken({ tokenForMs }: CookieVisitor): string | undefined {
  if (pageAge() > tokenForMs - SPARE_MS) return undefined
  return document.cookie.match(/(?:^|;\s*)__session=([^;]+)/)?.[1]
}
