import { trpc } from '#client/api/trpc.ts'
import { rowOf, type Opened } from '#client/list/list-position.ts'
import { useEntityDialogs } from '#client/list/use-entity-dialogs.ts'
import { useRowDialog } from '#client/ui/dialogs/use-dialog-about.ts'
import type { Contract } from './form/contract-form.ts'

export function useContractDialogs(
  listed: Contract[] | undefined,
  address: { open: Opened | undefined; onClosed: () => void },
) {
  const id = rowOf(address.open)
  const named = trpc.contracts.get.useQuery({ id: id ?? 0 }, { enabled: id !== undefined })
  const dialogs = useEntityDialogs({ listed, named, address, failed: 'Failed to fetch contract' })
  const pdfRemoval = useRowDialog(dialogs.rows)
  return { ...dialogs, pdfRemoval, isOpen: dialogs.isOpen || pdfRemoval.opened }
}
