import type { AnyRoute } from '@tanstack/react-router'

/** A screen's files could not be fetched, as the server cannot be reached. */
export class ScreenUnreachable extends Error {}

interface LazyComponent {
  preload?: (() => Promise<void> | undefined) | undefined
}

/**
 * Makes a screen that cannot be fetched without a connection a failure of its route. The router would reload the page
 * instead, which helps after a new build only, and without a connection loses the page.
 */
export function failWhenUnreachable(routes: AnyRoute[]): void {
  for (const route of routes) {
    const lazy: LazyComponent | undefined = route.options.component
    const load = lazy?.preload
    if (!lazy || !load) continue
    const loadOrFail = async () => {
      await load()
      // The router removes it once the component is there, and keeps the reason of a failure to itself.
      if (lazy.preload === loadOrFail && !(await isReachable())) throw new ScreenUnreachable('No connection')
    }
    lazy.preload = loadOrFail
  }
}

/** Whether the server answers this browser at all. */
export async function isReachable(): Promise<boolean> {
  try {
    await fetch('/favicon.svg', { method: 'HEAD', cache: 'no-store' })
    return true
  } catch {
    return false
  }
}
