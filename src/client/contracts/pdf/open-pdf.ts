import { failureText } from '#client/api/failure-text.ts'
import type { GetToken } from '#client/api/rest-request.ts'
import { PDF_TEXTS } from './pdf-actions.ts'

/** How long the URL is kept, and how often we check the tab. */
const KEPT_MS = 60_000

/** Shows a contract's PDF in a new tab. Resolves to what went wrong, if anything did. */
export async function openPdf(pdfPath: string, getToken: GetToken): Promise<string | undefined> {
  // Opened during the click: browsers block tabs that open later.
  const tab = window.open('', '_blank')
  if (!tab) return PDF_TEXTS.load.failed
  tab.document.title = 'Loading PDF...'
  try {
    const { fetchPdf } = await import('./fetch-pdf.ts')
    const address = URL.createObjectURL(await fetchPdf(pdfPath, getToken))
    tab.opener = null
    tab.location.href = address
    forgetAfter(tab, address)
    return undefined
  } catch (error) {
    tab.close()
    return failureText(error, PDF_TEXTS.load)
  }
}

/** Kept while the tab is open, so that it can be reloaded and the PDF saved. */
function forgetAfter(tab: Window, address: string): void {
  setTimeout(() => (tab.closed ? URL.revokeObjectURL(address) : forgetAfter(tab, address)), KEPT_MS)
}
