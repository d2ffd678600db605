import { VisuallyHidden } from '@mantine/core'
import { useEffect, useEffectEvent, useRef, useSyncExternalStore } from 'react'
import type { Contract } from './pdf-actions.ts'
import { PdfDrop } from './pdf-drop.tsx'
import { currentUploads, subscribe, type PdfUpload } from './pdf-uploads.ts'
import { useDeletePdf } from './use-delete-pdf.ts'
import { useSendPdf } from './use-send-pdf.ts'

export interface PdfChange {
  contract: Contract
  /** The files that were chosen; undefined to delete the PDF. */
  files?: readonly File[]
}

interface PdfChangesProps {
  /** What was asked for last. It is carried out once. */
  change: PdfChange | undefined
  /** The contracts on which a file can be dropped. */
  contracts: readonly Contract[]
  /** Whether the account is read-only; a toast then says so. */
  isRefused: () => boolean
}

/** Uploads what is chosen or dropped, and deletes PDFs. */
export function PdfChanges({ change, contracts, isRefused }: PdfChangesProps) {
  const { send, announcement } = useSendPdf()
  const progress = useSyncExternalStore(subscribe, progressOfAll)
  const remove = useDeletePdf()
  const carriedOut = useRef<PdfChange>(undefined)
  const carryOut = useEffectEvent(() => {
    // Effects may run twice.
    if (change === carriedOut.current) return
    carriedOut.current = change
    if (change?.files) send({ contract: change.contract, files: change.files })
    else if (change) remove(change.contract)
  })
  useEffect(() => carryOut(), [change])
  return (
    <>
      <VisuallyHidden role="status">{progress || announcement}</VisuallyHidden>
      <PdfDrop contracts={contracts} onFiles={(contract, files) => isRefused() || send({ contract, files })} />
    </>
  )
}

/** For screen readers: it changes at every quarter. */
function progressOfAll(): string {
  return currentUploads().map(announcementOf).join(', ')
}

function announcementOf({ customerName, sent }: PdfUpload): string {
  const quarters = Math.floor(sent * 4)
  if (quarters === 4) return `Saving the PDF of the contract with ${customerName}`
  return `Uploading the PDF of the contract with ${customerName}: ${quarters * 25}%`
}
