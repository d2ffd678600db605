import type { CookieVisitor } from '#shared/visitor.ts'
import { pageAge } from '#client/browser/page-age.ts'

// Leaves time for a call to reach the server.
const SPARE_MS = 5000

/**
 * The session token that the page was requested with, from Clerk's cookie, while it is valid: calls need not wait for
 * Clerk's script.
 */
export function cookieToken({ tokenForMs }: CookieVisitor): string | undefined {
  if (pageAge() > tokenForMs - SPARE_MS) return undefined
  return document.cookie.match(/(?:^|;\s*)__session=([^;]+)/)?.[1]
}

/**
 * Whether this browser is signed in, according to Clerk's cookie. It decides where links lead, never what somebody may
 * see. Unlike the session, it is known without Clerk's script.
 */
export function isSignedInHere(): boolean {
  return /(?:^|;\s*)__client_uat=[1-9]/.test(document.cookie)
}
