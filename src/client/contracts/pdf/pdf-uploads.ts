import { useSyncExternalStore } from 'react'

/** A PDF that is being uploaded. */
export interface PdfUpload {
  customerName: string
  /** How much of it has been sent, from 0 to 1. */
  sent: number
  cancel: () => void
}

/** By contract. Kept outside React so that progress does not re-render the table. */
const uploads = new Map<number, PdfUpload>()
const listeners = new Set<() => void>()

export function usePdfUpload(contractId: number): PdfUpload | undefined {
  return useSyncExternalStore(listen, () => uploads.get(contractId), nothing)
}

/** The progress of all uploads for screen readers. Announced at every quarter. */
export function useUploadAnnouncement(): string {
  return useSyncExternalStore(
    listen,
    () => [...uploads.values()].map(newsOf).join(', '),
    () => '',
  )
}

export function isUploading(contractId: number): boolean {
  return uploads.has(contractId)
}

/** Undefined once it has ended. */
export function putUpload(contractId: number, upload: PdfUpload | undefined): void {
  if (upload) uploads.set(contractId, upload)
  else uploads.delete(contractId)
  if (uploads.size > 0) window.addEventListener('beforeunload', askBeforeLeaving)
  else window.removeEventListener('beforeunload', askBeforeLeaving)
  for (const tell of listeners) tell()
}

function listen(tell: () => void): () => void {
  listeners.add(tell)
  return () => listeners.delete(tell)
}

/** None while rendering on the server. */
function nothing(): undefined {}

function newsOf({ customerName, sent }: PdfUpload): string {
  const quarters = Math.floor(sent * 4)
  if (quarters === 4) return `Saving the PDF of the contract with ${customerName}`
  return `Uploading the PDF of the contract with ${customerName}: ${quarters * 25}%`
}

function askBeforeLeaving(event: BeforeUnloadEvent): void {
  event.preventDefault()
}
