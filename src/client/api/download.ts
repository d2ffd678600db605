import { orNoResponse, restFetch, type GetToken, type Query } from './rest-request.ts'

export interface DownloadRequest {
  path: string
  query?: Query
}

/** By then the browser has started the download. */
const KEPT_MS = 60_000

/**
 * Saves a file that only a bearer token opens, so that a plain link would not do. The browser keeps what arrives
 * outside the page's memory. Resolves to the name that the server gave it. @throws RestFailure
 */
export async function download({ path, query = {} }: DownloadRequest, getToken: GetToken): Promise<string> {
  const response = await restFetch({ path, query, accept: '*/*' }, getToken)
  const name = nameOf(response.headers.get('content-disposition')) ?? path.slice(path.lastIndexOf('/') + 1)
  save(await orNoResponse(response.blob()), name)
  return name
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
