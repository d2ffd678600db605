import { orNoResponse, restFetch, type GetToken } from '#client/api/rest-request.ts'

/** Typed as a PDF whatever the response says: HTML would run with the app's origin. */
export async function fetchPdf(path: string, getToken: GetToken): Promise<Blob> {
  const response = await restFetch({ path, accept: 'application/pdf, application/json' }, getToken)
  return new Blob([await orNoResponse(response.blob())], { type: 'application/pdf' })
}
