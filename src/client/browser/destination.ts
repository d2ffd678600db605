import { inAppPath } from './in-app-path.ts'

const KEY = 'traxx.destination'
const HOME = '/dashboard'

/**
 * Where somebody wanted to go who has to sign up or to pay first. This tab alone remembers it, as it also does while
 * the payment page is another site's.
 */
export function rememberDestination(href: string): void {
  sessionStorage.setItem(KEY, href)
}

/** Undefined for anything that is no address in the app, whoever has put it there. */
export function rememberedDestination(): string | undefined {
  return inAppPath(sessionStorage.getItem(KEY), location.origin)
}

export function forgetDestination(): void {
  // A server that renders has no tabs.
  if ('sessionStorage' in globalThis) sessionStorage.removeItem(KEY)
}

export function destinationOrHome(): string {
  return rememberedDestination() ?? HOME
}
