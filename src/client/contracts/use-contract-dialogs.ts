import { useEntityDialogs } from '#client/list/use-entity-dialogs.ts'
import { useRowDialog } from '#client/ui/dialogs/use-dialog-about.ts'
import type { Contract } from './form/contract-form.ts'

export function useContractDialogs(
  rows: Contract[] | undefined,
  address: Parameters<typeof useEntityDialogs<Contract>>[1],
) {
  const dialogs = useEntityDialogs(rows, address)
  const pdfRemoval = useRowDialog(rows)
  return { ...dialogs, pdfRemoval, isOpen: dialogs.isOpen || pdfRemoval.opened }
}
