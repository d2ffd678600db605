import { useBlocker } from '@tanstack/react-router'
import { ConfirmDialog } from '#client/ui/confirm-dialog.tsx'

/** Asks before a screen is left on which something is not saved; before the tab is closed, the browser asks itself. */
export function UnsavedChanges({ there }: { there: boolean }) {
  const leaving = useBlocker({
    shouldBlockFn: ({ current, next }) => there && current.pathname !== next.pathname,
    enableBeforeUnload: () => there,
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
