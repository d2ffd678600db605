import { failureOf, type TrpcClient, type TrpcUtils } from '#client/api/trpc.ts'

interface Parties {
  session: { clerkPerson: () => Promise<object | null>; end: () => Promise<void> }
  trpcClient: TrpcClient
  trpcUtils: TrpcUtils
}

/**
 * Handles calls that the server has refused as signed out. Their tokens may have expired while the device slept, so the
 * session ends only if the server refuses a fresh one, too; otherwise the screens ask again. If Clerk cannot be reached,
 * nothing ends: it will report who is signed in once it can.
 */
export function makeRefusedSession({ session, trpcClient, trpcUtils }: Parties): () => Promise<void> {
  let rechecking: Promise<void> | undefined
  const recheck = async () => {
    const person = await session.clerkPerson().catch(() => null)
    if (!person) return
    // Also refused to an account that is being deleted.
    const refusal = await trpcClient.billing.subscription.query().then(nothing, (error) => failureOf(error).refusal)
    await (refusal === 'NOT_SIGNED_IN' ? session.end() : trpcUtils.invalidate())
  }
  return () => (rechecking ??= recheck().finally(() => (rechecking = undefined)))
}

function nothing(): undefined {}
