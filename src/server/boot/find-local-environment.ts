import type { Env } from '#server/env.ts'
import type { LocalEnvironment } from './local-environment.ts'

/** The one place that chooses stand-ins. Production has none, and never loads their code. */
export async function findLocalEnvironment({ isProduction }: Env): Promise<LocalEnvironment | undefined> {
  return isProduction ? undefined : (await import('#standins/main.ts')).localEnvironment
}
