import { useMutation } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { failureText, type FailureTexts } from '#client/api/failure-text.ts'
import { ConfirmDialog } from '#client/ui/dialogs/confirm-dialog.tsx'
import { toastFailure, toastSuccess } from '#client/ui/toasts/toasts.tsx'

interface DeleteDialogProps {
  opened: boolean
  title: string
  confirmLabel?: string
  /** What will be deleted. */
  children: ReactNode
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
  remove,
  done,
  failure,
  onDeleted,
  onClose,
  ...dialog
}: DeleteDialogProps) {
  const { mutate, isPending } = useMutation({
    mutationFn: remove,
    onSuccess: () => {
      toastSuccess(done)
      onDeleted?.()
    },
    onError: (error) => toastFailure(failureText(error, failure)),
    onSettled: onClose,
  })
  return (
    <ConfirmDialog
      confirmLabel={confirmLabel}
      danger
      busy={isPending}
      onConfirm={() => mutate()}
      onCancel={onClose}
      {...dialog}
    />
  )
}
