import { tokenFrom, type GetToken } from '#client/api/session-token.ts'
import { RestFailure } from '#client/api/rest-failure.ts'
import type { Outputs } from '#client/api/trpc.ts'

export type Contract = Outputs['contracts']['get']

/** The messages if the server sent none, and if there was no response (spec, section 8). */
export const PDF_TEXTS = {
  upload: { failed: 'Failed to upload PDF', network: 'Network error during PDF upload' },
  load: { failed: 'Failed to load PDF', network: 'Network error while loading PDF' },
  removal: { failed: 'Failed to delete PDF', network: 'Network error during PDF deletion' },
}

interface PdfCall {
  method: 'GET' | 'DELETE'
  getToken: GetToken
}

/** Asks the server for a contract's PDF, or to delete it. @throws RestFailure */
export async function callPdf(path: string, { method, getToken }: PdfCall): Promise<Response> {
  const headers = { authorization: `Bearer ${await tokenFrom(getToken)}`, accept: 'application/pdf, application/json' }
  const response = await fetch(path, { method, headers }).catch(noResponse)
  if (!response.ok) throw RestFailure.fromResponse(response.status, await response.text().catch(noResponse))
  return response
}

/** As a PDF and nothing else, whoever answered: a page would run in the app's own name. @throws RestFailure */
export async function fetchPdf(path: string, getToken: GetToken): Promise<Blob> {
  const response = await callPdf(path, { method: 'GET', getToken })
  return new Blob([await response.blob().catch(noResponse)], { type: 'application/pdf' })
}

function noResponse(): never {
  throw RestFailure.noResponse()
}
