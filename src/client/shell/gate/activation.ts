import type { Screens } from '#shared/domain/access.ts'

export const ASK_EVERY_MS = 2000
export const ASK_AT_MOST = 15

interface Activation {
  /** What the subscription opens now; a failed request counts as "not yet". */
  ask: () => Promise<Screens>
  signal: AbortSignal
  pause?: (ms: number) => Promise<void>
}

/** Polls until a payment has opened the app, or a limit is reached. */
export async function awaitActivation({ ask, signal, pause = sleep }: Activation): Promise<void> {
  for (let asked = 1; asked <= ASK_AT_MOST && !signal.aborted; asked += 1) {
    if ((await ask().catch(notYet)) !== 'checkout') return
    if (asked < ASK_AT_MOST) await pause(ASK_EVERY_MS)
  }
}

function notYet(): Screens {
  return 'checkout'
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
