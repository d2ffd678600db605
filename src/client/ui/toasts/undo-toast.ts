import { showToast } from './toasts.tsx'

export const UNDO_MS = 10_000

/** Says what was done, with 10 seconds to undo it. @returns what takes it away before. */
export function toastUndo(text: string, onUndo: () => void) {
  return showToast({ tone: 'success', text, durationMs: UNDO_MS, action: { label: 'Undo', onAct: onUndo } })
}
