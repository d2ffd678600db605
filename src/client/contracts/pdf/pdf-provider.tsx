import { useRef, useState, type ReactNode } from 'react'
import { useReadOnlyGuard } from '#client/api/use-read-only.ts'
import { useGetToken } from '#client/identity/session-context.tsx'
import { useNoStrayFiles } from '#client/ui/files/stray-files.ts'
import { onDemand } from '#client/ui/on-demand.tsx'
import { toastFailure } from '#client/ui/toasts/toasts.tsx'
import { openPdf } from './open-pdf.ts'
import { PdfActionsContext, type Contract, type PdfActions } from './pdf-actions.ts'
import type { PdfChange } from './pdf-changes.tsx'

const Changes = onDemand(async () => (await import('./pdf-changes.tsx')).PdfChanges)

interface PdfProviderProps {
  /** The contracts on which a file can be dropped. */
  contracts: readonly Contract[]
  children: ReactNode
}

/** Gives the components inside the PDF actions. Toasts show the results. */
export function PdfProvider({ contracts, children }: PdfProviderProps) {
  const getToken = useGetToken()
  const input = useRef<HTMLInputElement>(null)
  const [chosenFor, setChosenFor] = useState<Contract>()
  const [change, setChange] = useState<PdfChange>()
  const isDragging = useNoStrayFiles()
  const isRefused = useReadOnlyGuard()
  const view = async ({ pdfPath }: Contract) => {
    const failure = pdfPath && (await openPdf(pdfPath, getToken))
    if (failure) toastFailure(failure)
  }
  const actions: PdfActions = {
    view: (contract) => void view(contract),
    choose: (contract) => {
      if (isRefused()) return
      setChosenFor(contract)
      input.current?.click()
    },
    remove: (contract) => isRefused() || setChange({ contract }),
  }
  return (
    <PdfActionsContext value={actions}>
      {children}
      <input
        ref={input}
        type="file"
        accept="application/pdf"
        aria-label="PDF file"
        hidden
        onChange={({ currentTarget }) => {
          const files = [...(currentTarget.files ?? [])]
          // Lets the same file be chosen again.
          currentTarget.value = ''
          if (files.length > 0 && chosenFor) setChange({ contract: chosenFor, files })
        }}
      />
      <Changes.Part
        wanted={isDragging || chosenFor !== undefined || change !== undefined}
        change={change}
        contracts={contracts}
        isRefused={isRefused}
      />
    </PdfActionsContext>
  )
}
