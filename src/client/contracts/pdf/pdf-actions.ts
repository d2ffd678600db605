import { createContext, use } from 'react'
import type { Outputs } from '#client/api/trpc.ts'

export type Contract = Outputs['contracts']['get']

/** What can be done with the PDF of a contract. */
export interface PdfActions {
  view: (contract: Contract) => void
  /** Asks for a file, and uploads it in place of an earlier PDF. */
  choose: (contract: Contract) => void
  /** Deletes it, which can be undone. */
  remove: (contract: Contract) => void
}

export const PdfActionsContext = createContext<PdfActions | undefined>(undefined)

export function usePdfActions(): PdfActions {
  const actions = use(PdfActionsContext)
  if (!actions) throw new Error('There is no PdfProvider around this component')
  return actions
}

/** The messages if the server sent none, and if there was no response (spec, section 8). */
export const PDF_TEXTS = {
  upload: { failed: 'Failed to upload PDF', network: 'Network error during PDF upload' },
  load: { failed: 'Failed to load PDF', network: 'Network error while loading PDF' },
  removal: { failed: 'Failed to delete PDF', network: 'Network error during PDF deletion' },
}
