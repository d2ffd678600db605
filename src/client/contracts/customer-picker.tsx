import { Combobox, Loader, Text, TextInput, useCombobox } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData } from '@tanstack/react-query'
import { failureText } from '#client/failure-text.ts'
import { trpc, type Answers } from '#client/trpc.ts'

const DEBOUNCE_MS = 200
const OPTIONS = 20

type Customer = Answers['customers']['get']

interface Picked {
  customerId: number | null
  customerName: string
}

interface CustomerPickerProps {
  chosen: number | null
  /** What stands in the field. */
  text: string
  error?: boolean
  'data-path'?: string
  onPick: (picked: Picked) => void
}

/** Finds a customer by name while one types; what is typed is no choice until one is made. */
export function CustomerPicker({ chosen, text, error = false, onPick, 'data-path': path }: CustomerPickerProps) {
  const combobox = useCombobox({ onDropdownClose: () => combobox.resetSelectedOption() })
  const found = useFoundCustomers(chosen === null ? text.trim() : '', combobox.dropdownOpened)
  const choose = (value: string) => {
    const customer = found.customers.find(({ id }) => String(id) === value)
    if (customer) onPick({ customerId: customer.id, customerName: customer.name })
    combobox.closeDropdown()
  }
  return (
    <Combobox store={combobox} onOptionSubmit={choose}>
      <Combobox.Target withExpandedAttribute>
        <TextInput
          label="Customer"
          required
          data-autofocus
          data-path={path}
          placeholder="Type a name to search"
          autoComplete="off"
          value={text}
          error={error}
          rightSection={found.pending ? <Loader size="xs" aria-hidden /> : <Combobox.Chevron />}
          rightSectionPointerEvents="none"
          onClick={() => combobox.openDropdown()}
          onBlur={() => combobox.closeDropdown()}
          onChange={(event) => {
            onPick({ customerId: null, customerName: event.currentTarget.value })
            combobox.openDropdown()
            combobox.resetSelectedOption()
          }}
        />
      </Combobox.Target>
      <Combobox.Dropdown>
        <Combobox.Options aria-label="Customers" aria-busy={found.pending} mah={260} style={{ overflowY: 'auto' }}>
          <Choices {...found} chosen={chosen} />
        </Combobox.Options>
      </Combobox.Dropdown>
    </Combobox>
  )
}

/** The customers whose name has the text in it. While an answer is on its way: those known already that still match. */
function useFoundCustomers(text: string, enabled: boolean) {
  const [search] = useDebouncedValue(text, DEBOUNCE_MS)
  const query = trpc.customers.list.useQuery(
    { limit: OPTIONS, ...(search && { search }) },
    { enabled, placeholderData: keepPreviousData },
  )
  const pending = enabled && (query.isPlaceholderData || query.isPending || search !== text)
  const known = query.data?.rows ?? []
  return {
    customers: pending ? known.filter(({ name }) => name.toLowerCase().includes(text.toLowerCase())) : known,
    pending,
    failure: query.error ? failureText(query.error, { failed: 'Failed to fetch customers' }) : undefined,
  }
}

interface ChoicesProps extends ReturnType<typeof useFoundCustomers> {
  chosen: number | null
}

function Choices({ customers, pending, failure, chosen }: ChoicesProps) {
  if (failure) return <Combobox.Empty>{failure}</Combobox.Empty>
  if (customers.length === 0) {
    return <Combobox.Empty>{pending ? 'Searching...' : 'No customers found'}</Combobox.Empty>
  }
  return customers.map((customer) => <Choice key={customer.id} customer={customer} chosen={chosen === customer.id} />)
}

function Choice({ customer, chosen }: { customer: Customer; chosen: boolean }) {
  return (
    <Combobox.Option value={String(customer.id)} active={chosen}>
      <Text component="span" display="block" size="sm">
        {customer.name}
      </Text>
      {customer.customerNumber && (
        <Text component="span" display="block" size="xs" opacity={0.85}>
          {customer.customerNumber}
        </Text>
      )}
    </Combobox.Option>
  )
}
