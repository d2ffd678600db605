import type { Session } from './identity/session.ts'
import type { TrpcClient, TrpcUtils } from './trpc.ts'

/** What every route finds in its context. */
export interface RouterContext {
  trpcClient: TrpcClient
  trpcUtils: TrpcUtils
  session: Session
}
