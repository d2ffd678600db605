import { useRef, useState } from 'react'
import { useGetToken } from '#client/identity/session-context.tsx'
import { toastFailure } from '#client/ui/toasts/toasts.tsx'
import type { Drop } from '#client/ui/files/drop-target.tsx'
import type { Contract } from './pdf-call.ts'
import { openPdf } from './open-pdf.ts'
import { isUploading } from './pdf-uploads.ts'
import { useSendPdf } from './use-send-pdf.ts'

/** What can be done with the PDF of a contract. */
export interface PdfActs {
  view: (contract: Contract) => void
  /** Asks for a file, and uploads it in place of the PDF there may be. */
  choose: (contract: Contract) => void
  /** Asks whether it shall be deleted. */
  remove: (contract: Contract) => void
  /** What a file does that is dropped on the contract; nothing while another one is on its way. */
  dropOn: (contract: Contract) => Drop | undefined
}

/** The PDFs of the contracts page; toasts say how it went. `onRemove` asks before one is deleted. */
export function usePdfs(onRemove: (contract: Contract) => void) {
  const getToken = useGetToken()
  const input = useRef<HTMLInputElement>(null)
  const [chosenFor, setChosenFor] = useState<Contract>()
  const { send, announcement } = useSendPdf()
  const view = async ({ pdfPath }: Contract) => {
    const failure = pdfPath && (await openPdf(pdfPath, getToken))
    if (failure) toastFailure(failure)
  }
  const acts: PdfActs = {
    view: (contract) => void view(contract),
    choose: (contract) => {
      setChosenFor(contract)
      input.current?.click()
    },
    remove: onRemove,
    dropOn: (contract) => {
      if (isUploading(contract.id)) return undefined
      return { label: dropLabel(contract), onFiles: (files) => send({ contract, files }) }
    },
  }
  const onChosen = (files: readonly File[]) => chosenFor && send({ contract: chosenFor, files })
  return { acts, picker: { input, onChosen, announcement } }
}

function dropLabel({ pdfPath }: Contract): string {
  return pdfPath ? 'Drop to replace the PDF' : 'Drop to attach the PDF'
}
