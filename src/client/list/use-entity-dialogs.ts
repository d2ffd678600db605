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
 * The dialogs of a list: form (without a row it adds one) and deletion. The form that the address asks for is open, and the
 * address forgets it when it is closed. In a read-only account neither of them opens.
 */
export function useEntityDialogs<Row extends { id: number }>(rows: readonly Row[] | undefined, address: DialogAddress) {
  const dialogs = { form: useRowDialog(rows), removal: useRowDialog(rows) }
  const isRefused = useReadOnlyGuard()
  const guarded = <Dialog extends { open: (row?: Row) => void }>(dialog: Dialog) => ({
    ...dialog,
    open: (about?: Row) => isRefused() || dialog.open(about),
  })
  const isOpen = Object.values(dialogs).some(({ opened }) => opened)
  const { isNew, onClosed } = address

  const show = useEffectEvent(() => {
    if (isNew && isRefused()) onClosed()
    else if (isNew) dialogs.form.open()
  })
  useEffect(() => show(), [isNew])

  const wasOpen = useRef(false)
  const forget = useEffectEvent(() => isNew && onClosed())
  useEffect(() => {
    if (wasOpen.current && !isOpen) forget()
    wasOpen.current = isOpen
  }, [isOpen])

  const [form, removal] = [guarded(dialogs.form), guarded(dialogs.removal)]
  return { form, removal, rowActions: { onEdit: form.open, onDelete: removal.open }, isOpen }
}
