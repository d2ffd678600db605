import { createContext, use } from 'react'
import { failureOf } from './trpc.ts'

export interface Reverification {
  /** Lets the person prove who they are; false where they would rather not. */
  ask: () => Promise<boolean>
  isAsking: boolean
}

export const ReverificationContext = createContext<Reverification>({ ask: async () => false, isAsking: false })

/** For what takes a recent sign-in: where the last one was too long ago, the person is asked, and it is done again. */
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

/** Our server says so, or the identity provider itself. */
function needsReverification(error: unknown): boolean {
  return isProviders(error) || failureOf(error).refusal === 'REVERIFICATION_REQUIRED'
}

// Its package has a function for this, which would be fetched for every screen that may ask.
function isProviders(error: unknown): boolean {
  if (!(error instanceof Error && 'errors' in error && Array.isArray(error.errors))) return false
  return error.errors.some(({ code }: { code?: unknown }) => code === 'session_reverification_required')
}
