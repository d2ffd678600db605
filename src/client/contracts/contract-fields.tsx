import { NativeSelect, SimpleGrid, TextInput } from '@mantine/core'
import { CONTRACT_STATUSES } from '#shared/domain/contract-status.ts'
import { RENEWAL_CYCLES } from '#shared/domain/renewal-cycle.ts'
import { capitalised } from '#client/contract-words.ts'
import { withTerms, type useContractForm } from './contract-form.ts'
import { CustomerPicker } from './customer-picker.tsx'

const LAST_DAY = '2999-12-31'
const CYCLES = RENEWAL_CYCLES.map((value) => ({ value, label: capitalised(value) }))
const STATUSES = CONTRACT_STATUSES.map((value) => ({ value, label: capitalised(value) }))

export function ContractFields({ form }: { form: ReturnType<typeof useContractForm> }) {
  const { customerId, customerName } = form.values
  const change = (terms: Parameters<typeof withTerms>[1]) => {
    form.setValues(withTerms(form.getValues(), terms))
    for (const name of [...Object.keys(terms), 'renewalDate']) form.clearFieldError(name)
  }
  return (
    <>
      <CustomerPicker
        {...form.getInputProps('customerId')}
        chosen={customerId}
        text={customerName}
        onPick={(picked) => {
          form.setValues(picked)
          form.clearFieldError('customerId')
        }}
      />
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <TextInput
          label="Amount"
          required
          inputMode="decimal"
          leftSection="$"
          placeholder="0.00"
          autoComplete="off"
          {...form.getInputProps('amount')}
        />
        <NativeSelect label="Status" data={STATUSES} {...form.getInputProps('status')} />
        <TextInput
          label="Start Date"
          type="date"
          required
          max={LAST_DAY}
          {...form.getInputProps('startDate')}
          onChange={(event) => change({ startDate: event.currentTarget.value })}
        />
        <NativeSelect
          label="Renewal Cycle"
          data={CYCLES}
          {...form.getInputProps('renewalCycle')}
          onChange={({ currentTarget: { value } }) => {
            const renewalCycle = RENEWAL_CYCLES.find((cycle) => cycle === value)
            if (renewalCycle) change({ renewalCycle })
          }}
        />
        <TextInput label="Renewal Date" type="date" required max={LAST_DAY} {...form.getInputProps('renewalDate')} />
      </SimpleGrid>
    </>
  )
}
