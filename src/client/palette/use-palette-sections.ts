import { useDebouncedValue } from '@mantine/hooks'
import { FileTextIcon, PersonIcon } from '@radix-ui/react-icons'
import { keepPreviousData } from '@tanstack/react-query'
import { CYCLE_LABELS } from '#client/text/contract-words.ts'
import { failureText } from '#client/api/failure-text.ts'
import { formatDay, formatMoney } from '#client/text/format.ts'
import { trpc, type Outputs } from '#client/api/trpc.ts'
import { knownSections, matchingEntries, type PaletteEntry } from './palette-entry.ts'

const DEBOUNCE_MS = 200
const FEW = 5

/**
 * What the text finds: screens and actions immediately, a few customers and contracts once the server has responded.
 * Until then, earlier results whose name contains the text.
 */
export function usePaletteSections(written: string, otherScheme: 'light' | 'dark') {
  const text = written.trim()
  const [search] = useDebouncedValue(text, DEBOUNCE_MS)
  const options = { enabled: search !== '', placeholderData: keepPreviousData }
  const customers = trpc.customers.list.useQuery({ search, limit: FEW }, options)
  const contracts = trpc.contracts.list.useQuery({ search, limit: FEW }, options)
  const queries = [customers, contracts]
  const isSettled = search === text && queries.every((query) => !query.isPlaceholderData && !query.isPending)
  const error = text && search === text ? (customers.error ?? contracts.error) : null
  const current = (entries: PaletteEntry[] = []) => (isSettled ? entries : matchingEntries(entries, text))
  const found =
    text === ''
      ? []
      : [
          { title: 'Customers', entries: current(customers.data?.rows.map(customerEntry)) },
          { title: 'Contracts', entries: current(contracts.data?.rows.map(contractEntry)) },
        ]
  return {
    sections: [...knownSections(text, otherScheme), ...found].filter(({ entries }) => entries.length > 0),
    pending: text !== '' && !error && !isSettled,
    failure: error ? failureText(error, { failed: 'Failed to search' }) : undefined,
    retry: () => void Promise.all(queries.map((query) => query.refetch())),
  }
}

function customerEntry({ id, name, customerNumber }: Outputs['customers']['get']): PaletteEntry {
  const hint = customerNumber ?? undefined
  return { key: `customer-${id}`, name, hint, icon: PersonIcon, destination: { to: '/customers', open: id } }
}

function contractEntry(contract: Outputs['contracts']['get']): PaletteEntry {
  const { id, customerName, amount, renewalCycle, renewalDate } = contract
  const hint = `${formatMoney(amount)} ${CYCLE_LABELS[renewalCycle].toLowerCase()}, renews ${formatDay(renewalDate)}`
  return {
    key: `contract-${id}`,
    name: customerName,
    hint,
    icon: FileTextIcon,
    destination: { to: '/contracts', open: id },
  }
}
