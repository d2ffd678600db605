import { failureText } from '#client/api/failure-text.ts'
import { rowOf, type Opened } from '#client/list/open-param.ts'
import { trpc } from '#client/api/trpc.ts'
import { toastFailure } from '#client/ui/toasts.tsx'
import { useRowDialog } from '#client/ui/use-row-dialog.ts'
import { useAddressDialog } from '#client/list/use-dialog-in-address.ts'
import type { Contract } from './contract-form.ts'

interface Address {
  open: Opened | undefined
  onClosed: () => void
}

/** The dialogs of the contracts page, with the one open that its address names. The form without a row adds a contract. */
export function useContractDialogs(listed: Contract[] | undefined, { open, onClosed }: Address) {
  const id = rowOf(open)
  const { data: row, error } = trpc.contracts.get.useQuery({ id: id ?? 0 }, { enabled: id !== undefined })
  const rows = row ? [...(listed ?? []), row] : listed
  const dialogs = {
    details: useRowDialog(rows),
    form: useRowDialog(rows),
    removal: useRowDialog(rows),
    pdfRemoval: useRowDialog(rows),
  }
  const wanted = Object.values(dialogs).some(({ opened }) => opened)
  const onFailure = (failure: unknown) => toastFailure(failureText(failure, { failed: 'Failed to fetch contract' }))
  useAddressDialog({ open, row, error, dialogs: { ...dialogs, wanted }, onClosed, onFailure })
  return { ...dialogs, wanted }
}
