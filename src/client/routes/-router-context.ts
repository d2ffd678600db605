import type { Session } from '#client/identity/session.ts'
import type { TrpcClient, TrpcUtils } from '#client/api/trpc.ts'

/** The context of every route. */
export interface RouterContext {
  trpcClient: TrpcClient
  trpcUtils: TrpcUtils
  session: Session
}
