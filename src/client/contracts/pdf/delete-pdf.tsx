import { useMutation } from '@tanstack/react-query'
import { failureText } from '#client/api/failure-text.ts'
import { useGetToken } from '#client/identity/session-context.tsx'
import { trpc } from '#client/api/trpc.ts'
import { ConfirmDialog } from '#client/ui/dialogs/confirm-dialog.tsx'
import { toastFailure, toastSuccess } from '#client/ui/toasts/toasts.tsx'
import { callPdf, PDF_TEXTS, type Contract } from './pdf-call.ts'

interface DeletePdfProps {
  opened: boolean
  contract: Contract | undefined
  onClose: () => void
}

/** Asks first; a toast shows the result. */
export function DeletePdf({ opened, contract, onClose }: DeletePdfProps) {
  const getToken = useGetToken()
  const utils = trpc.useUtils()
  const remove = useMutation({
    mutationFn: (pdfPath: string) => callPdf(pdfPath, { method: 'DELETE', getToken }),
    onSuccess: () => toastSuccess('PDF deleted successfully'),
    onError: (error) => toastFailure(failureText(error, PDF_TEXTS.removal)),
    onSettled: onClose,
  })
  return (
    <ConfirmDialog
      opened={opened}
      title="Delete PDF"
      confirmLabel="Delete"
      danger
      busy={remove.isPending}
      onConfirm={() => contract?.pdfPath && remove.mutate(contract.pdfPath)}
      onCancel={onClose}
      // Not before the focus is back on the button that asked, which then gives way to another.
      onClosed={() => void utils.contracts.invalidate()}
    >
      <p>Delete this PDF? This action cannot be undone.</p>
      {contract && <p>{contract.customerName}</p>}
    </ConfirmDialog>
  )
}
