import { useBlocker } from '@tanstack/react-router'
import { ConfirmDialog } from '#client/ui/dialogs/confirm-dialog.tsx'

/** Warns before leaving with unsaved changes. */
export function UnsavedChanges({ isDirty }: { isDirty: boolean }) {
  const leaving = useBlocker({
    shouldBlockFn: ({ current, next }) => isDirty && current.pathname !== next.pathname,
    enableBeforeUnload: () => isDirty,
    withResolver: true,
  })
  return (
    <ConfirmDialog
      opened={leaving.status === 'blocked'}
      title="Leave without saving?"
      confirmLabel="Leave"
      danger
      backCloses={false}
      onConfirm={() => leaving.proceed?.()}
      onCancel={() => leaving.reset?.()}
    >
      Your changes on this page have not been saved and will be lost.
    </ConfirmDialog>
  )
}
