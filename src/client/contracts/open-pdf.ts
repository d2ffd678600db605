export type GetToken = () => Promise<string | null>

/** Long enough for the new tab to have read it. */
const KEPT_MS = 60_000

/** Shows a contract's PDF in a new tab. Resolves to what went wrong, if anything did. */
export async function openPdf(pdfPath: string, getToken: GetToken): Promise<string | undefined> {
  // Opened at the click itself: browsers block a tab that is opened after waiting.
  const tab = window.open('', '_blank')
  const { pdf, failure } = await fetchPdf(pdfPath, getToken)
  if (!pdf || !tab) {
    tab?.close()
    return failure ?? 'Failed to load PDF'
  }
  const address = URL.createObjectURL(pdf)
  tab.opener = null
  tab.location.href = address
  setTimeout(() => URL.revokeObjectURL(address), KEPT_MS)
  return undefined
}

async function fetchPdf(pdfPath: string, getToken: GetToken): Promise<{ pdf?: Blob; failure?: string }> {
  try {
    const token = await getToken()
    if (!token) return { failure: 'Unable to get authentication token' }
    const headers = { authorization: `Bearer ${token}`, accept: 'application/pdf, application/json' }
    const answer = await fetch(pdfPath, { headers })
    return answer.ok ? { pdf: await answer.blob() } : { failure: await refusalText(answer) }
  } catch {
    return { failure: 'Network error while loading PDF' }
  }
}

async function refusalText(answer: Response): Promise<string> {
  const body: unknown = await answer.json().catch(() => undefined)
  const isRefusal = typeof body === 'object' && body !== null && 'error' in body && typeof body.error === 'string'
  return isRefusal && answer.status < 500 ? String(body.error) : 'Failed to load PDF'
}
