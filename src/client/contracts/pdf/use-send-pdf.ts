import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { failureText } from '#client/api/failure-text.ts'
import type { GetToken } from '#client/api/rest-request.ts'
import { useGetToken } from '#client/identity/session-context.tsx'
import { RestFailure } from '#client/api/rest-failure.ts'
import { trpc } from '#client/api/trpc.ts'
import { toastFailure, toastSuccess } from '#client/ui/toasts/toasts.tsx'
import { PDF_TEXTS, type Contract } from './pdf-actions.ts'
import { putUpload } from './pdf-uploads.ts'
import { usePdfUndo } from './use-pdf-undo.ts'

const UPLOADED = 'PDF uploaded successfully'

interface Sending {
  contract: Contract
  files: readonly File[]
}

/** Uploads PDFs, one to a contract at a time, and reports the result. `announcement` is for screen readers. */
export function useSendPdf() {
  const getToken = useGetToken()
  const utils = trpc.useUtils()
  const offerUndo = usePdfUndo()
  const [announcement, setAnnouncement] = useState('')
  const { mutate } = useMutation({
    mutationFn: (sending: Sending) => sendWithProgress(sending, getToken),
    onMutate: () => setAnnouncement(''),
    onSuccess: (_done, { contract }) => {
      if (contract.pdfPath) offerUndo(UPLOADED, contract)
      else toastSuccess(UPLOADED)
      // Awaited, since the row shows the old state until then.
      return utils.contracts.invalidate()
    },
    onError: (error) => {
      if (isCancelled(error)) setAnnouncement('PDF upload canceled')
      else toastFailure(failureText(error, PDF_TEXTS.upload))
      // The upload may have completed anyway.
      void utils.contracts.invalidate()
    },
    onSettled: (_done, _error, { contract }) => putUpload(contract.id, undefined),
  })
  return { send: mutate, announcement }
}

async function sendWithProgress({ contract: { id, customerName }, files }: Sending, getToken: GetToken): Promise<void> {
  const controller = new AbortController()
  const cancel = () => controller.abort()
  const onProgress = (sent: number) => putUpload(id, { customerName, sent, cancel })
  onProgress(0)
  const { sendPdf } = await import('./send-pdf.ts').catch(() => {
    throw RestFailure.noResponse()
  })
  await sendPdf({ contractId: id, files, getToken, signal: controller.signal, onProgress })
}

function isCancelled(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'AbortError'
}
