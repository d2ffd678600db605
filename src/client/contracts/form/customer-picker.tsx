import '@mantine/core/styles/ScrollArea.layer.css'
import '@mantine/core/styles/Popover.layer.css'
import '@mantine/core/styles/Combobox.layer.css'
import { Combobox, Loader, TextInput, useCombobox } from '@mantine/core'
import type { KeyboardEvent } from 'react'
import { failureText } from '#client/api/failure-text.ts'
import { trpc } from '#client/api/trpc.ts'
import { useRefresh } from '#client/api/use-refresh.ts'
import { ADD, CustomerChoices } from './customer-choices.tsx'
import { useFoundCustomers, type FoundCustomer } from './use-found-customers.ts'
import { useOnlyMatch } from './use-only-match.ts'

interface Picked {
  customerId: number | null
  customerName: string
}

interface CustomerPickerProps {
  chosen: number | null
  /** The text in the field. */
  text: string
  error?: boolean
  'data-path'?: string
  label?: string
  /** If false, customers cannot be added either. */
  required?: boolean
  onPick: (picked: Picked) => void
}

/** Finds a customer by name, or adds one. Typing alone selects nobody. */
export function CustomerPicker({ chosen, text, error = false, onPick, ...field }: CustomerPickerProps) {
  const { label = 'Customer', required = true, 'data-path': path } = field
  const combobox = useCombobox({ onDropdownClose: () => combobox.resetSelectedOption() })
  const typed = text.trim()
  const found = useFoundCustomers(chosen === null ? typed : '', combobox.dropdownOpened)
  const adding = useAddCustomer(onPick)
  const pick = ({ id, name }: FoundCustomer) => {
    onPick({ customerId: id, customerName: name })
    combobox.closeDropdown()
  }
  const choose = (value: string) => {
    const customer = found.customers.find(({ id }) => String(id) === value)
    if (customer) pick(customer)
    if (value === ADD) adding.add(typed)
    combobox.closeDropdown()
  }
  const pickOnly = useOnlyMatch(chosen === null ? typed : '', found, pick)
  const pickOnEnter = (event: KeyboardEvent) => {
    const isChoosing = event.key === 'Enter' && !event.nativeEvent.isComposing && combobox.dropdownOpened
    // Otherwise Enter would submit the form, with nobody chosen.
    if (isChoosing && combobox.getSelectedOptionIndex() === -1 && pickOnly()) event.preventDefault()
  }
  const type = (written: string) => {
    adding.forget()
    onPick({ customerId: null, customerName: written })
    combobox.openDropdown()
    combobox.resetSelectedOption()
  }
  return (
    <Combobox store={combobox} onOptionSubmit={choose}>
      <Combobox.Target withExpandedAttribute>
        <TextInput
          label={label}
          required={required}
          data-autofocus={required || undefined}
          data-path={path}
          placeholder="Type a name to search"
          autoComplete="off"
          value={text}
          error={adding.failure ?? error}
          readOnly={adding.busy}
          description={adding.message && <span role="status">{adding.message}</span>}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          rightSection={found.pending || adding.busy ? <Loader size="xs" aria-hidden /> : <Combobox.Chevron />}
          rightSectionPointerEvents="none"
          onClick={() => combobox.openDropdown()}
          onBlur={() => combobox.closeDropdown()}
          onKeyDown={pickOnEnter}
          onChange={(event) => type(event.currentTarget.value)}
        />
      </Combobox.Target>
      <Combobox.Dropdown>
        <Combobox.Options aria-label="Customers" aria-busy={found.pending} mah={260} style={{ overflowY: 'auto' }}>
          <CustomerChoices {...found} chosen={chosen} typed={typed} canAdd={required} />
        </Combobox.Options>
      </Combobox.Dropdown>
    </Combobox>
  )
}

/** Adds a customer with nothing but a name, and selects it. */
function useAddCustomer(onPick: (picked: Picked) => void) {
  const refresh = useRefresh()
  const { mutate, error, isPending, data, reset } = trpc.customers.create.useMutation({
    onSuccess: ({ id, name }) => {
      onPick({ customerId: id, customerName: name })
      void refresh()
    },
  })
  return {
    add: (name: string) => mutate({ name }),
    forget: reset,
    busy: isPending,
    message: isPending ? 'Adding the customer...' : data && `Customer "${data.name}" was added`,
    failure: error ? failureText(error, { failed: 'Failed to add customer' }) : undefined,
  }
}
