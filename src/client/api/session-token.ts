import { RestFailure } from './rest-failure.ts'

/** Null for a visitor who is signed out. */
export type GetToken = () => Promise<string | null>

/** @throws RestFailure where there is none. */
export async function tokenFrom(getToken: GetToken): Promise<string> {
  const token = await getToken().catch(() => null)
  if (!token) throw RestFailure.signedOut()
  return token
}
