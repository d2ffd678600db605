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

/**
 * Whether this browser is signed in, by the identity provider's own cookie: for where a link leads, and never for what
 * somebody may see. Unlike the session it is known without the provider's script.
 */
export function isSignedInHere(): boolean {
  return /(?:^|;\s*)__client_uat=[1-9]/.test(document.cookie)
}
