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
  return useSyncExternalStore(subscribe, () => uploads.get(contractId), noUpload)
}

export function currentUploads(): PdfUpload[] {
  return [...uploads.values()]
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
  for (const listener of listeners) listener()
}

export function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** While rendering on the server. */
function noUpload(): undefined {}

function askBeforeLeaving(event: BeforeUnloadEvent): void {
  event.preventDefault()
}
