import { failureOf, type TrpcClient, type TrpcUtils } from '#client/api/trpc.ts'

interface Parties {
  session: { heard: () => Promise<object | null>; end: () => Promise<void> }
  trpcClient: TrpcClient
  trpcUtils: TrpcUtils
}

/**
 * What follows when the server has refused calls for want of a session. Their tokens may have run out on the way, where
 * a device slept: the session is ended only where the server refuses one of now as well, else the screens ask again.
 * Where the identity provider cannot be asked nothing is ended: it says by itself who is there once it can.
 */
export function makeRefusedSession({ session, trpcClient, trpcUtils }: Parties): () => Promise<void> {
  let rechecking: Promise<void> | undefined
  const recheck = async () => {
    const person = await session.heard().catch(() => null)
    if (!person) return
    // Also refused to an account that is being deleted.
    const refusal = await trpcClient.billing.subscription.query().then(nothing, (error) => failureOf(error).refusal)
    await (refusal === 'NOT_SIGNED_IN' ? session.end() : trpcUtils.invalidate())
  }
  return () => (rechecking ??= recheck().finally(() => (rechecking = undefined)))
}

function nothing(): undefined {}
