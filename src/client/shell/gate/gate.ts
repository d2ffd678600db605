import type { Screens } from '#shared/domain/access.ts'

/** What a visitor to a protected screen gets. */
export type Gate = 'app' | 'sign-in' | 'checkout' | 'activation'

interface Visitor {
  /** The subscription's access; null if signed out. */
  screens: Screens | null
  /** Whether they have just paid, and the webhook may not have arrived. */
  hasPaid: boolean
}

export function gateOf({ screens, hasPaid }: Visitor): Gate {
  if (screens === null) return 'sign-in'
  if (screens !== 'checkout') return 'app'
  return hasPaid ? 'activation' : 'checkout'
}

/** The same address without one of its parameters. */
export function withoutParameter(href: string, name: string): string {
  const [path = '', hash] = href.split('#')
  const [pathname = '', search] = path.split('?')
  const kept = (search ?? '').split('&').filter((part) => part !== '' && part.split('=')[0] !== name)
  return pathname + (kept.length > 0 ? `?${kept.join('&')}` : '') + (hash === undefined ? '' : `#${hash}`)
}
