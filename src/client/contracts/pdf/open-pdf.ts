import { failureText } from '#client/api/failure-text.ts'
import type { GetToken } from '#client/api/session-token.ts'
import { fetchPdf, PDF_TEXTS } from './pdf-call.ts'

/** How long the URL is kept, and how often we check the tab. */
const KEPT_MS = 60_000

/** Shows a contract's PDF in a new tab. Resolves to what went wrong, if anything did. */
export async function openPdf(pdfPath: string, getToken: GetToken): Promise<string | undefined> {
  // Opened at the click itself: browsers block a tab that is opened after waiting.
  const tab = window.open('', '_blank')
  if (!tab) return PDF_TEXTS.load.failed
  tab.document.title = 'Loading PDF…'
  try {
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

/** As long as the tab is there it can be reloaded, and the PDF saved from it. */
function forgetAfter(tab: Window, address: string): void {
  setTimeout(() => (tab.closed ? URL.revokeObjectURL(address) : forgetAfter(tab, address)), KEPT_MS)
}
