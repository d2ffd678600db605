import type { QueryClient } from '@tanstack/react-query'
import { createTRPCClient, httpBatchLink, TRPCClientError, type TRPCClient, type TRPCLink } from '@trpc/client'
import { createTRPCQueryUtils, createTRPCReact } from '@trpc/react-query'
import type { inferRouterInputs, inferRouterOutputs } from '@trpc/server'
import superjson from 'superjson'
import { MAX_CALLS_IN_BATCH } from '#shared/trpc-batch.ts'
import type { AppRouter } from '#server/routers/index.ts'
import { FAULT, NETWORK_ERROR, RestFailure, type Failure } from './rest-failure.ts'

export const trpc = createTRPCReact<AppRouter>()
export type TrpcClient = TRPCClient<AppRouter>
export type TrpcLink = TRPCLink<AppRouter>
export type TrpcUtils = ReturnType<typeof makeTrpcUtils>
/** What each call returns. */
export type Inputs = inferRouterInputs<AppRouter>
export type Outputs = inferRouterOutputs<AppRouter>

export function failureOf(error: unknown): Failure {
  if (error instanceof RestFailure) return error
  if (error instanceof TRPCClientError && error.cause instanceof RestFailure) return error.cause
  if (!isFromServer(error)) return { message: FAULT, refusal: undefined, fields: {}, isNetwork: false }
  const { data, message } = error
  if (!data) return { message: NETWORK_ERROR, refusal: undefined, fields: {}, isNetwork: true }
  const { refusal, fields = {}, retryAfterSeconds } = data
  return { message, refusal, fields, isNetwork: false, retryAfterSeconds }
}

/** Worth a retry: there was no response, or the server failed. */
export function isTransient(error: unknown): boolean {
  const { isNetwork, refusal } = failureOf(error)
  return isNetwork || refusal === 'FAULT' || refusal === 'IDENTITY_UNAVAILABLE'
}

/** Calls that are made at once go as one request, with the token that `getToken` gives for it. */
export function makeTrpcClient(getToken: () => Promise<string | null>): TrpcClient {
  return makeTrpcClientOver(
    httpBatchLink({
      url: '/trpc',
      transformer: superjson,
      maxItems: MAX_CALLS_IN_BATCH,
      headers: async () => {
        const token = await getToken()
        return token ? { authorization: `Bearer ${token}` } : {}
      },
    }),
  )
}

export function makeTrpcClientOver(link: TrpcLink): TrpcClient {
  return createTRPCClient<AppRouter>({ links: [link] })
}

/** For loaders: the calls of `trpc`, outside components. */
export function makeTrpcUtils(client: TrpcClient, queryClient: QueryClient) {
  return createTRPCQueryUtils<AppRouter>({ client, queryClient })
}

function isFromServer(error: unknown): error is TRPCClientError<AppRouter> {
  return error instanceof TRPCClientError
}
