import { trpc } from '#client/api/trpc.ts'
import { rowOf, type Opened } from '#client/list/list-position.ts'
import { useEntityDialogs } from '#client/list/use-entity-dialogs.ts'
import type { Customer } from './customer-form.ts'

export function useCustomerDialogs(
  listed: Customer[] | undefined,
  address: { open: Opened | undefined; onClosed: () => void },
) {
  const id = rowOf(address.open)
  const named = trpc.customers.get.useQuery({ id: id ?? 0 }, { enabled: id !== undefined })
  return useEntityDialogs({ listed, named, address, failed: 'Failed to fetch customer' })
}
