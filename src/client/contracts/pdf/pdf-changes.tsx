import { VisuallyHidden } from '@mantine/core'
import { useEffect, useEffectEvent, useSyncExternalStore } from 'react'
import type { Contract } from './pdf-actions.ts'
import { PdfDrop } from './pdf-drop.tsx'
import { currentUploads, subscribe, type PdfUpload } from './pdf-uploads.ts'
import { useSendPdf } from './use-send-pdf.ts'

export interface ChosenPdf {
  contract: Contract
  files: readonly File[]
}

interface PdfChangesProps {
  /** What was chosen last. It is uploaded once. */
  chosen: ChosenPdf | undefined
  /** The contracts on which a file can be dropped. */
  contracts: readonly Contract[]
  /** Whether the account is read-only; a toast then says so. */
  isRefused: () => boolean
}

/** Uploads what is chosen or dropped. */
export function PdfChanges({ chosen, contracts, isRefused }: PdfChangesProps) {
  const { send, announcement } = useSendPdf()
  const progress = useSyncExternalStore(subscribe, progressOfAll)
  const sendChosen = useEffectEvent(() => chosen && send(chosen))
  useEffect(() => void sendChosen(), [chosen])
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
