import { inAppPath } from './in-app-path.ts'

const KEY = 'traxx.destination'
const HOME = '/dashboard'

/** The page requested before sign-up or payment; kept in sessionStorage. */
export function rememberDestination(href: string): void {
  sessionStorage.setItem(KEY, href)
}

/** Undefined for anything that is not an address in the app. */
export function rememberedDestination(): string | undefined {
  return inAppPath(sessionStorage.getItem(KEY), location.origin)
}

export function forgetDestination(): void {
  // There is no sessionStorage while rendering on the server.
  if ('sessionStorage' in globalThis) sessionStorage.removeItem(KEY)
}

export function destinationOrHome(): string {
  return rememberedDestination() ?? HOME
}

/**
 * The address after payment. Its gate waits for the subscription, and the dashboard greets a new trial by its session.
 */
export function destinationAfterPayment(sessionId?: string): string {
  const [path = '', ...hash] = destinationOrHome().split('#')
  const welcome = sessionId && path === '/dashboard' ? `&session_id=${encodeURIComponent(sessionId)}` : ''
  return [`${path}${path.includes('?') ? '&' : '?'}stripe_success=true${welcome}`, ...hash].join('#')
}
