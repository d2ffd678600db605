import { useMutation } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { failureText, type FailureTexts } from '#client/api/failure-text.ts'
import { ConfirmDialog } from '#client/ui/dialogs/confirm-dialog.tsx'
import { toastFailure, toastSuccess } from '#client/ui/toasts/toasts.tsx'

interface DeleteDialogProps {
  opened: boolean
  title: string
  confirmLabel?: string
  /** What will be deleted. */
  children: ReactNode
  /** Asked before it is deleted: what there is to read first, if anything. */
  toRead?: () => Promise<string | undefined>
  remove: () => Promise<unknown>
  /** The message afterward. */
  done: string
  failure: FailureTexts
  onDeleted?: () => void
  onClose: () => void
  /** Once the dialog is gone, and the focus is back where it was. */
  onClosed?: () => void
}

/** Asks first; a toast shows the result. */
export function DeleteDialog({
  confirmLabel = 'Delete',
  toRead,
  remove,
  done,
  failure,
  onDeleted,
  onClose,
  ...dialog
}: DeleteDialogProps) {
  const [isAsking, setIsAsking] = useState(false)
  const [error, setError] = useState<string>()
  const close = () => {
    setError(undefined)
    onClose()
  }
  const { mutate, isPending } = useMutation({
    mutationFn: remove,
    onSuccess: () => {
      toastSuccess(done)
      onDeleted?.()
    },
    onError: (reason) => toastFailure(failureText(reason, failure)),
    onSettled: close,
  })
  const confirm = async () => {
    setIsAsking(true)
    const found = await toRead?.()
    setIsAsking(false)
    setError(found)
    if (!found) mutate()
  }
  return (
    <ConfirmDialog
      confirmLabel={confirmLabel}
      danger
      busy={isAsking || isPending}
      error={error}
      onConfirm={() => void confirm()}
      onCancel={close}
      {...dialog}
    />
  )
}
