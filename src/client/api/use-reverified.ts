import { createContext, use } from 'react'
import { failureOf } from './trpc.ts'

export interface Reverification {
  /** Asks the person to confirm who they are; false if they cancel. */
  ask: () => Promise<boolean>
  isAsking: boolean
}

export const ReverificationContext = createContext<Reverification>({ ask: async () => false, isAsking: false })

/** For actions that require a recent sign-in: if the last one is too old, asks the person to confirm, and retries. */
export function useReverified() {
  const { ask, isAsking } = use(ReverificationContext)
  async function reverified<T>(act: () => Promise<T>): Promise<T> {
    try {
      return await act()
    } catch (error) {
      if (!needsReverification(error) || !(await ask())) throw error
      return act()
    }
  }
  return { reverified, isAsking }
}

/** Required by our server, or by Clerk. */
function needsReverification(error: unknown): boolean {
  return isProviders(error) || failureOf(error).refusal === 'REVERIFICATION_REQUIRED'
}

// Clerk's own check would load its package on every screen that uses this.
function isProviders(error: unknown): boolean {
  if (!(error instanceof Error && 'errors' in error && Array.isArray(error.errors))) return false
  return error.errors.some(({ code }: { code?: unknown }) => code === 'session_reverification_required')
}
