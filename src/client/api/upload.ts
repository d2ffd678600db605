import { addressOf, tokenFrom, type GetToken, type Query } from './rest-request.ts'
import { jsonOf, RestFailure } from './rest-failure.ts'

export interface UploadRequest {
  path: string
  /** The form's field that the file is sent in. */
  field: string
  file: File
  query?: Query
  getToken: GetToken
  /** How much has been sent, from 0 to 1. At 1 the response may still take a while. */
  onProgress?: (sent: number) => void
  /** Aborts the upload. */
  signal?: AbortSignal
}

/**
 * Sends one file as a form. `fetch` reports no upload progress. Resolves to the JSON of the response.
 * @throws RestFailure if it is refused or there is no response, and the signal's reason if it was aborted
 */
export async function upload({
  path,
  field,
  file,
  query = {},
  getToken,
  onProgress,
  signal,
}: UploadRequest): Promise<unknown> {
  const token = await tokenFrom(getToken)
  const { promise, resolve, reject } = Promise.withResolvers<unknown>()
  signal?.throwIfAborted()
  const request = new XMLHttpRequest()
  const stop = () => request.abort()
  signal?.addEventListener('abort', stop)
  request.upload.addEventListener('progress', ({ loaded, total }) => onProgress?.(total > 0 ? loaded / total : 0))
  request.upload.addEventListener('load', () => onProgress?.(1))
  request.addEventListener('abort', () => reject(signal?.reason))
  request.addEventListener('error', () => reject(RestFailure.noResponse()))
  request.addEventListener('load', () => {
    if (request.status >= 200 && request.status < 300) resolve(jsonOf(request.responseText))
    else reject(RestFailure.fromResponse(request.status, request.responseText))
  })
  request.addEventListener('loadend', () => signal?.removeEventListener('abort', stop))
  request.open('POST', addressOf(path, query))
  request.setRequestHeader('authorization', `Bearer ${token}`)
  request.setRequestHeader('accept', 'application/json')
  request.send(formWith(field, file))
  return promise
}

function formWith(field: string, file: File): FormData {
  const form = new FormData()
  form.append(field, file)
  return form
}
