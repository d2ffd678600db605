import { useBlocker } from '@tanstack/react-router'
import { useEffect, useId } from 'react'
import { ConfirmDialog } from '#client/ui/dialogs/confirm-dialog.tsx'

/** The forms of the page that have unsaved changes, by their IDs. The first of them asks for all. */
const unsavedForms = new Set<string>()

/** Warns before leaving with unsaved changes, once for all forms of the page. */
export function UnsavedChanges({ isDirty }: { isDirty: boolean }) {
  const id = useId()
  useEffect(() => {
    if (!isDirty) return undefined
    unsavedForms.add(id)
    return () => {
      unsavedForms.delete(id)
    }
  }, [id, isDirty])
  const leaving = useBlocker({
    shouldBlockFn: ({ current, next }) => {
      const [asking] = unsavedForms
      return asking === id && current.pathname !== next.pathname
    },
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
