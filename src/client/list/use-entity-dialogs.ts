import { useEffect, useEffectEvent, useRef } from 'react'
import { failureText } from '#client/api/failure-text.ts'
import { useReadOnlyGuard } from '#client/api/use-read-only.ts'
import { toastFailure } from '#client/ui/toasts/toasts.tsx'
import { useRowDialog } from '#client/ui/dialogs/use-dialog-about.ts'
import type { Opened } from './list-position.ts'

interface DialogAddress {
  /** What the address says. */
  open: Opened | undefined
  /** Takes it out of the address. */
  onClosed: () => void
}

interface EntityDialogs<Row> {
  /** The rows that the page lists. */
  listed: readonly Row[] | undefined
  /** The row that the address names, which the page need not list. */
  named: { data: Row | undefined; error: unknown }
  address: DialogAddress
  /** The message if it cannot be fetched. */
  failed: string
}

/**
 * The dialogs of a list: details, form (without a row it adds one) and deletion. The one that the address names is open,
 * and the address forgets it when it is closed. In a read-only account neither the form nor the deletion opens.
 */
export function useEntityDialogs<Row extends { id: number }>({ listed, named, address, failed }: EntityDialogs<Row>) {
  const { data: row, error } = named
  const rows = row ? [...(listed ?? []), row] : listed
  const dialogs = { details: useRowDialog(rows), form: useRowDialog(rows), removal: useRowDialog(rows) }
  const isRefused = useReadOnlyGuard()
  const guarded = <Dialog extends { open: (row?: Row) => void }>(dialog: Dialog) => ({
    ...dialog,
    open: (about?: Row) => isRefused() || dialog.open(about),
  })
  const isOpen = Object.values(dialogs).some(({ opened }) => opened)
  const { open, onClosed } = address
  const isThere = row !== undefined

  const show = useEffectEvent(() => {
    if (open === 'new' && isRefused()) onClosed()
    else if (open === 'new') dialogs.form.open()
    else if (open !== undefined && row !== undefined) dialogs.details.open(row)
  })
  useEffect(() => show(), [open, isThere])

  const fail = useEffectEvent(() => {
    toastFailure(failureText(error, { failed }))
    onClosed()
  })
  useEffect(() => {
    if (open !== undefined && open !== 'new' && error && !isThere) fail()
  }, [open, error, isThere])

  const wasOpen = useRef(false)
  const forget = useEffectEvent(() => open !== undefined && onClosed())
  useEffect(() => {
    if (wasOpen.current && !isOpen) forget()
    wasOpen.current = isOpen
  }, [isOpen])

  const [form, removal] = [guarded(dialogs.form), guarded(dialogs.removal)]
  const rowActions = { onOpen: dialogs.details.open, onEdit: form.open, onDelete: removal.open }
  return { ...dialogs, form, removal, rowActions, isOpen, rows }
}
