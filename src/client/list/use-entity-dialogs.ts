import { useEffect, useEffectEvent, useRef } from 'react'
import { useReadOnlyGuard } from '#client/api/use-read-only.ts'
import { useRowDialog } from '#client/ui/dialogs/use-dialog-about.ts'

interface DialogAddress {
  /** Whether the address asks for the form of a new row. */
  isNew: boolean
  /** Takes it out of the address. */
  onClosed: () => void
}

/**
 * The form of a list, which adds a row if it is opened without one. It is open if the address asks for it, and the address
 * forgets it when it is closed. In a read-only account it does not open.
 */
export function useEntityDialogs<Row extends { id: number }>(rows: readonly Row[] | undefined, address: DialogAddress) {
  const dialog = useRowDialog(rows)
  const isRefused = useReadOnlyGuard()
  const isOpen = dialog.opened
  const { isNew, onClosed } = address

  const show = useEffectEvent(() => {
    if (isNew && isRefused()) onClosed()
    else if (isNew) dialog.open()
  })
  useEffect(() => show(), [isNew])

  const wasOpen = useRef(false)
  const forget = useEffectEvent(() => isNew && onClosed())
  useEffect(() => {
    if (wasOpen.current && !isOpen) forget()
    wasOpen.current = isOpen
  }, [isOpen])

  const open = (about?: Row) => isRefused() || dialog.open(about)
  return { form: { ...dialog, open }, isOpen }
}
