import type { Session } from '#client/identity/session.ts'
import type { TrpcClient, TrpcUtils } from '#client/api/trpc.ts'

/** What every route finds in its context. */
export interface RouterContext {
  trpcClient: TrpcClient
  trpcUtils: TrpcUtils
  session: Session
}
