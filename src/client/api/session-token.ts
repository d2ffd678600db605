import { createContext, use } from 'react'
import { RestFailure } from './rest-failure.ts'

/** Null for a visitor who is signed out. */
export type GetToken = () => Promise<string | null>

/** The session token, for calls outside tRPC. */
export const TokenContext = createContext<GetToken>(async () => null)

export function useGetToken(): GetToken {
  return use(TokenContext)
}

/** @throws RestFailure where there is none. */
export async function tokenFrom(getToken: GetToken): Promise<string> {
  const token = await getToken().catch(() => null)
  if (!token) throw RestFailure.signedOut()
  return token
}
