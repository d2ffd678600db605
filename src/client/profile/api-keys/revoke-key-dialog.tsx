import { failureText } from '#client/api/failure-text.ts'
import { trpc, type Outputs } from '#client/api/trpc.ts'
import { ConfirmDialog } from '#client/ui/dialogs/confirm-dialog.tsx'

export type ApiKey = Outputs['identity']['apiKeys'][number]

interface RevokeKeyDialogProps {
  opened: boolean
  apiKey: ApiKey | undefined
  onClose: () => void
}

/** Asks first, since programs that use the key will stop working. */
export function RevokeKeyDialog({ opened, apiKey, onClose }: RevokeKeyDialogProps) {
  const utils = trpc.useUtils()
  const { mutate, error, isPending, reset } = trpc.identity.revokeApiKey.useMutation({ onSuccess: onClose })
  const settle = () => {
    reset()
    // After the focus has returned to the button that opened the dialog, which is then removed.
    void utils.identity.apiKeys.invalidate()
  }
  return (
    <ConfirmDialog
      opened={opened}
      title="Revoke API Key"
      confirmLabel="Revoke"
      danger
      busy={isPending}
      error={error ? failureText(error, { failed: 'Failed to revoke the API key' }) : undefined}
      onConfirm={() => apiKey && mutate({ id: apiKey.id })}
      onCancel={onClose}
      onClosed={settle}
    >
      Anything that uses <strong>{apiKey?.name}</strong> will stop working within seconds. This cannot be undone.
    </ConfirmDialog>
  )
}
