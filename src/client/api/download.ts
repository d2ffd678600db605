import { addressOf, type Query } from './rest-request.ts'
import { RestFailure } from './rest-failure.ts'
import { tokenFrom, type GetToken } from './session-token.ts'

export interface DownloadRequest {
  path: string
  query?: Query
}

/** Long enough for the browser to have begun saving it. */
const KEPT_MS = 60_000

/**
 * Saves a file that only a bearer token opens, so that a plain link would not do. The browser keeps what arrives
 * outside the page's memory. Resolves to the name that the server gave it. @throws RestFailure
 */
export async function download({ path, query = {} }: DownloadRequest, getToken: GetToken): Promise<string> {
  const headers = { authorization: `Bearer ${await tokenFrom(getToken)}`, accept: '*/*' }
  const response = await fetch(addressOf(path, query), { headers }).catch(noResponse)
  if (!response.ok) throw RestFailure.fromResponse(response.status, await response.text().catch(noResponse))
  const name = nameOf(response.headers.get('content-disposition')) ?? path.slice(path.lastIndexOf('/') + 1)
  save(await response.blob().catch(noResponse), name)
  return name
}

function noResponse(): never {
  throw RestFailure.noResponse()
}

function nameOf(disposition: string | null): string | undefined {
  return /filename="([^"]+)"/.exec(disposition ?? '')?.[1]
}

function save(content: Blob, name: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(content)
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), KEPT_MS)
}
