import { useReducer, useState } from 'react'
import { ConfirmDialog } from './confirm-dialog.tsx'
import { DialogLayer, type DialogLayerProps } from './dialog-layer.tsx'
import { UnsavedContext } from './use-unsaved.ts'

type DialogProps = Omit<DialogLayerProps, 'unsaved' | 'backCloses'>

/** A dialog over the page. While a form in it has changes, Escape, a click outside, the cross and Back ask first. */
export function Dialog({ children, covered = false, onClose, onClosed, ...dialog }: DialogProps) {
  const [unsaved, countUnsaved] = useReducer((before: number, change: number) => before + change, 0)
  const isUnsaved = unsaved > 0
  const [isWanted, setWanted] = useState(false)
  // Mounted only then: it would handle the Escape that opens it.
  const [isThere, setThere] = useState(false)
  const isAsking = dialog.opened && isWanted
  const ask = () => {
    setThere(true)
    setWanted(true)
  }
  const discard = () => {
    setWanted(false)
    onClose()
  }
  return (
    <>
      <DialogLayer
        {...dialog}
        unsaved={isUnsaved}
        covered={covered || isAsking}
        onClose={isUnsaved ? ask : onClose}
        onClosed={() => {
          setWanted(false)
          onClosed?.()
        }}
      >
        <UnsavedContext value={countUnsaved}>{children}</UnsavedContext>
      </DialogLayer>
      {isThere && (
        <ConfirmDialog
          opened={isAsking}
          title="Discard changes?"
          confirmLabel="Discard"
          cancelLabel="Keep Editing"
          danger
          onConfirm={discard}
          onCancel={() => setWanted(false)}
          onClosed={() => setThere(false)}
        >
          What you have entered has not been saved.
        </ConfirmDialog>
      )}
    </>
  )
}
