import { foldText } from '#shared/domain/fold-text.ts'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData } from '@tanstack/react-query'
import { failureText } from '#client/api/failure-text.ts'
import { trpc, type Outputs } from '#client/api/trpc.ts'

export type FoundCustomer = Outputs['customers']['get']

const DEBOUNCE_MS = 200
const OPTIONS = 20

/** The customers whose name contains the text. While a response is loading: the known ones that still match. */
export function useFoundCustomers(text: string, enabled: boolean) {
  const [search] = useDebouncedValue(text, DEBOUNCE_MS)
  const query = trpc.customers.list.useQuery(
    { limit: OPTIONS, ...(search && { search, searchBy: 'name' }) },
    { enabled, placeholderData: keepPreviousData },
  )
  const pending = enabled && (query.isPlaceholderData || query.isPending || search !== text)
  const known = query.data?.rows ?? []
  const matches = ({ name }: FoundCustomer) => foldText(name).includes(foldText(text))
  return {
    customers: pending ? known.filter(matches) : known,
    pending,
    failure: query.error ? failureText(query.error, { failed: 'Failed to fetch customers' }) : undefined,
  }
}
