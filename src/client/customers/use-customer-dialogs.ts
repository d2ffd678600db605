import { failureText } from '#client/api/failure-text.ts'
import { rowOf, type Opened } from '#client/list/open-param.ts'
import { trpc } from '#client/api/trpc.ts'
import { toastFailure } from '#client/ui/toasts.tsx'
import { useRowDialog } from '#client/ui/use-row-dialog.ts'
import { useAddressDialog } from '#client/list/use-dialog-in-address.ts'
import type { Customer } from './customer-form.ts'

interface Address {
  open: Opened | undefined
  onClosed: () => void
}

/** The dialogs of the customers page, with the one open that its address names. The form without a row adds a customer. */
export function useCustomerDialogs(listed: Customer[] | undefined, { open, onClosed }: Address) {
  const id = rowOf(open)
  const { data: row, error } = trpc.customers.get.useQuery({ id: id ?? 0 }, { enabled: id !== undefined })
  const rows = row ? [...(listed ?? []), row] : listed
  const dialogs = { details: useRowDialog(rows), form: useRowDialog(rows), removal: useRowDialog(rows) }
  const wanted = Object.values(dialogs).some(({ opened }) => opened)
  const onFailure = (failure: unknown) => toastFailure(failureText(failure, { failed: 'Failed to fetch customer' }))
  useAddressDialog({ open, row, error, dialogs: { ...dialogs, wanted }, onClosed, onFailure })
  return { ...dialogs, wanted }
}
