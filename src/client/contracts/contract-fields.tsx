import { NativeSelect, SimpleGrid, TextInput, type TextInputProps } from '@mantine/core'
import { CONTRACT_STATUSES } from '#shared/domain/contract-status.ts'
import { RENEWAL_CYCLES } from '#shared/domain/renewal-cycle.ts'
import { CYCLE_LABELS, STATUS_LABELS } from '#client/text/contract-words.ts'
import { useAccountToday } from '#client/api/use-account-today.ts'
import { withTerms, type ContractValues, type useContractForm } from './contract-form.ts'
import { CustomerPicker } from './customer-picker.tsx'

const LAST_DAY = '2999-12-31'
const CYCLES = RENEWAL_CYCLES.map((value) => ({ value, label: CYCLE_LABELS[value] }))
const STATUSES = CONTRACT_STATUSES.map((value) => ({ value, label: STATUS_LABELS[value] }))

export function ContractFields({ form }: { form: ReturnType<typeof useContractForm> }) {
  const { customerId, customerName } = form.values
  const today = useAccountToday()
  const pick = (picked: Pick<ContractValues, 'customerId' | 'customerName'>) => {
    form.setFieldValue('customerId', picked.customerId)
    form.setFieldValue('customerName', picked.customerName)
  }
  const change = (terms: Parameters<typeof withTerms>[1]) => {
    const { startDate, renewalCycle, renewalDate } = withTerms(form.getValues(), terms, today())
    form.setFieldValue('startDate', startDate)
    form.setFieldValue('renewalCycle', renewalCycle)
    if (renewalDate !== form.getValues().renewalDate) form.setFieldValue('renewalDate', renewalDate)
  }
  const changeCycle = (value: string) => {
    const renewalCycle = RENEWAL_CYCLES.find((cycle) => cycle === value)
    if (renewalCycle) change({ renewalCycle })
  }
  return (
    <>
      <CustomerPicker {...form.getInputProps('customerId')} chosen={customerId} text={customerName} onPick={pick} />
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
      </SimpleGrid>
      <SimpleGrid cols={{ base: 1, xs: 3 }}>
        <DateInput
          label="Start Date"
          {...form.getInputProps('startDate')}
          onChange={(event) => change({ startDate: event.currentTarget.value })}
        />
        <NativeSelect
          label="Renewal Cycle"
          data={CYCLES}
          {...form.getInputProps('renewalCycle')}
          onChange={(event) => changeCycle(event.currentTarget.value)}
        />
        <DateInput label="Renewal Date" {...form.getInputProps('renewalDate')} />
      </SimpleGrid>
    </>
  )
}

/** The browser's own date field: it follows the reader's locale, keyboard and phone. */
function DateInput(props: TextInputProps) {
  return <TextInput type="date" required max={LAST_DAY} {...props} />
}
