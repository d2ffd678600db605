import { RestFailure } from './rest-failure.ts'

/** The session's token. Null for a visitor who is signed out. */
export type GetToken = () => Promise<string | null>

/** A query string; undefined values are left out. */
export type Query = Record<string, string | number | boolean | undefined>

interface RestRequest {
  path: string
  query?: Query
  method?: 'GET' | 'DELETE'
  accept?: string
}

/** Calls REST with the session's token. @throws RestFailure unless it succeeds */
export async function restFetch(request: RestRequest, getToken: GetToken): Promise<Response> {
  const { path, query = {}, method = 'GET', accept = 'application/json' } = request
  const headers = { authorization: `Bearer ${await tokenFrom(getToken)}`, accept }
  const response = await orNoResponse(fetch(addressOf(path, query), { method, headers }))
  if (!response.ok) throw RestFailure.fromResponse(response.status, await orNoResponse(response.text()))
  return response
}

/** Also for reading a body, during which the connection may break. @throws RestFailure */
export async function orNoResponse<T>(reading: Promise<T>): Promise<T> {
  return reading.catch(() => {
    throw RestFailure.noResponse()
  })
}

/** @throws RestFailure where there is none. */
export async function tokenFrom(getToken: GetToken): Promise<string> {
  const token = await getToken().catch(() => null)
  if (!token) throw RestFailure.signedOut()
  return token
}

export function addressOf(path: string, query: Query): string {
  const set = Object.entries(query).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]]))
  return set.length > 0 ? `${path}?${new URLSearchParams(set)}` : path
}
