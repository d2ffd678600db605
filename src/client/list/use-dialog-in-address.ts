import { useEffect, useEffectEvent, useRef } from 'react'
import type { Opened } from './open-param.ts'

interface AddressDialog<Row> {
  /** What the address says. */
  open: Opened | undefined
  /** The row that it names, once that has come. */
  row: Row | undefined
  error: unknown
  dialogs: { wanted: boolean; details: { open: (row: Row) => void }; form: { open: () => void } }
  /** Takes it out of the address. */
  onClosed: () => void
  onFailure: (error: unknown) => void
}

/** Opens the dialog that the address names, and lets the address forget it when it is closed. */
export function useAddressDialog<Row>(address: AddressDialog<Row>): void {
  const { open, row, error, dialogs } = address
  const isThere = row !== undefined
  const show = useEffectEvent(() => {
    if (open === 'new') dialogs.form.open()
    else if (open !== undefined && row !== undefined) dialogs.details.open(row)
  })
  useEffect(() => show(), [open, isThere])

  const fail = useEffectEvent(() => {
    address.onFailure(error)
    address.onClosed()
  })
  useEffect(() => {
    if (open !== undefined && open !== 'new' && error && !isThere) fail()
  }, [open, error, isThere])

  const wasOpen = useRef(false)
  const forget = useEffectEvent(() => open !== undefined && address.onClosed())
  useEffect(() => {
    if (wasOpen.current && !dialogs.wanted) forget()
    wasOpen.current = dialogs.wanted
  }, [dialogs.wanted])
}
