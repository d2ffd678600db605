import { tokenFrom, type GetToken } from '#client/api/session-token.ts'
import { RestFailure } from '#client/api/rest-failure.ts'

/** The messages if the server sent none, and if it did not answer (spec, section 8). */
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
  const answer = await fetch(path, { method, headers }).catch(unanswered)
  if (!answer.ok) throw RestFailure.answered(answer.status, await answer.text().catch(unanswered))
  return answer
}

/** As a PDF and nothing else, whoever answered: a page would run in the app's own name. @throws RestFailure */
export async function fetchPdf(path: string, getToken: GetToken): Promise<Blob> {
  const answer = await callPdf(path, { method: 'GET', getToken })
  return new Blob([await answer.blob().catch(unanswered)], { type: 'application/pdf' })
}

function unanswered(): never {
  throw RestFailure.unanswered()
}
