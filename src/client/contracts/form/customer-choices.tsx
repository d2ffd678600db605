import { Combobox, Group, Text } from '@mantine/core'
import { PlusIcon } from '@radix-ui/react-icons'
import type { FoundCustomer, useFoundCustomers } from './use-found-customers.ts'

/** The value of the option that adds a customer with the typed name. */
export const ADD = 'add'

interface CustomerChoicesProps extends ReturnType<typeof useFoundCustomers> {
  chosen: number | null
  typed: string
  canAdd: boolean
}

export function CustomerChoices({ customers, pending, failure, chosen, typed, canAdd }: CustomerChoicesProps) {
  if (failure) return <Combobox.Empty>{failure}</Combobox.Empty>
  const isKnown = customers.some(({ name }) => name.toLowerCase() === typed.toLowerCase())
  return (
    <>
      {customers.length === 0 && <Combobox.Empty>{pending ? 'Searching...' : 'No customers found'}</Combobox.Empty>}
      {customers.map((customer) => (
        <Choice key={customer.id} customer={customer} chosen={chosen === customer.id} />
      ))}
      {canAdd && typed !== '' && chosen === null && !pending && !isKnown && (
        <Combobox.Option value={ADD}>
          <Group component="span" gap="xs" wrap="nowrap">
            <PlusIcon aria-hidden style={{ flex: 'none' }} />
            {`Add Customer "${typed}"`}
          </Group>
        </Combobox.Option>
      )}
    </>
  )
}

function Choice({ customer, chosen }: { customer: FoundCustomer; chosen: boolean }) {
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
