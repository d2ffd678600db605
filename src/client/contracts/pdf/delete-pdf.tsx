import { restFetch } from '#client/api/rest-request.ts'
import { trpc } from '#client/api/trpc.ts'
import { useGetToken } from '#client/identity/session-context.tsx'
import { DeleteDialog } from '#client/forms/delete-dialog.tsx'
import { PDF_TEXTS, type Contract } from './pdf-actions.ts'

interface DeletePdfProps {
  opened: boolean
  contract: Contract | undefined
  onClose: () => void
}

export function DeletePdf({ contract, ...dialog }: DeletePdfProps) {
  const getToken = useGetToken()
  const utils = trpc.useUtils()
  if (!contract) return null
  return (
    <DeleteDialog
      title="Delete PDF"
      // If it was deleted elsewhere, the server says so.
      remove={() => restFetch({ path: `/contracts/${contract.id}/pdf`, method: 'DELETE' }, getToken)}
      done="PDF deleted successfully"
      failure={PDF_TEXTS.removal}
      // After the focus has returned to the button that opened the dialog, which is then replaced.
      onClosed={() => void utils.contracts.invalidate()}
      {...dialog}
    >
      <p>Delete this PDF? This action cannot be undone.</p>
      <p>{contract.customerName}</p>
    </DeleteDialog>
  )
}
