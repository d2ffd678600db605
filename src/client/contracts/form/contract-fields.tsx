import { NativeSelect, SimpleGrid, TextInput, type TextInputProps } from '@mantine/core'
import type { useForm } from '@mantine/form'
import { CONTRACT_STATUSES, earnsRevenue, type ContractStatus } from '#shared/domain/contract-status.ts'
import { isDay, type Day } from '#shared/domain/day.ts'
import { comingRenewal, RENEWAL_CYCLES, type RenewalCycle } from '#shared/domain/renewal-cycle.ts'
import type { Renews } from '#shared/domain/renews.ts'
import type { CreateContract } from '#shared/schemas/contracts.ts'
import { CYCLE_LABELS, STATUS_LABELS } from '#client/text/contract-words.ts'
import type { Outputs } from '#client/api/trpc.ts'
import { formatMoney } from '#client/text/format.ts'
import { useAccountToday } from '#client/api/use-account-today.ts'
import { CONTRACT_DIALOG_PAGES, type ContractDialogPage } from './contract-dialog-pages.ts'
import { TagsField } from '#client/tags/tags-field.tsx'
import { CustomerPicker } from './customer-picker.tsx'
import { RenewalFields } from './renewal-fields.tsx'

export type Contract = Outputs['contracts']['get']

/** The form's values: everything that can be sent, as typed. */
export interface ContractValues extends Record<Exclude<keyof CreateContract, 'reminders'>, unknown> {
  customerId: number | null
  /** The text in the picker, whether chosen or only typed. */
  customerName: string
  amount: string
  startDate: string
  renewalCycle: RenewalCycle
  renewalDate: string
  status: ContractStatus
  title: string
  reference: string
  renews: Renews
  noticePeriod: string
  /** What the next term costs, and its cycle; empty if they stay the same. */
  nextAmount: string
  nextCycle: RenewalCycle | ''
  /** Separated by commas. */
  tags: string
  /** The renewal date about which the customer gets no emails. */
  mutedDate: string | null
  /** The version that was opened. */
  version: number
}

export function contractValues(
  contract: Contract | undefined,
  page: ContractDialogPage,
  isFirst = false,
): ContractValues {
  return {
    customerId: contract?.customerId ?? null,
    customerName: contract?.customerName ?? '',
    amount: contract ? amountText(contract.amount) : '',
    startDate: contract?.startDate ?? '',
    renewalCycle: contract?.renewalCycle ?? 'monthly',
    renewalDate: contract?.renewalDate ?? '',
    status: contract?.status ?? (isFirst ? 'active' : CONTRACT_DIALOG_PAGES[page].status),
    title: contract?.title ?? '',
    reference: contract?.reference ?? '',
    renews: contract?.renews ?? 'by_agreement',
    noticePeriod: contract?.noticePeriod ?? '',
    nextAmount: typeof contract?.nextAmount === 'number' ? amountText(contract.nextAmount) : '',
    nextCycle: contract?.nextCycle ?? '',
    tags: contract?.tags.join(',') ?? '',
    mutedDate: null,
    version: contract?.version ?? 0,
  }
}

/** An amount as it can be typed: 1234.5 as '1,234.50'. */
function amountText(amount: number): string {
  return formatMoney(amount).slice(1)
}

const LAST_DAY = '2999-12-31'
const CYCLES = RENEWAL_CYCLES.map((value) => ({ value, label: CYCLE_LABELS[value] }))
const STATUSES = CONTRACT_STATUSES.map((value) => ({ value, label: STATUS_LABELS[value] }))

type Form = Pick<ReturnType<typeof useForm<ContractValues>>, 'values' | 'getValues' | 'setFieldValue' | 'getInputProps'>

export function ContractFields({ form }: { form: Form }) {
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
        <NativeSelect
          label="Status"
          data={STATUSES}
          description={earnsRevenue(form.values.status) ? 'Counted in your revenue' : 'Not counted in your revenue'}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          {...form.getInputProps('status')}
        />
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
      <RenewalFields renews={form.values.renews} inputProps={(name) => form.getInputProps(name)} />
      <TagsField {...form.getInputProps('tags')} />
    </>
  )
}

/** The browser's own date field: it follows the reader's locale, keyboard and phone. */
function DateInput(props: TextInputProps) {
  return <TextInput type="date" required max={LAST_DAY} {...props} />
}

type Terms = Partial<Pick<ContractValues, 'startDate' | 'renewalCycle'>>

/** A new start date or cycle suggests a renewal date from `today` on, unless the user typed one. */
export function withTerms(values: ContractValues, terms: Terms, today: Day) {
  const changed = { ...values, ...terms }
  const isOwn = values.renewalDate !== '' && values.renewalDate !== suggestedRenewal(values, today)
  return isOwn ? changed : { ...changed, renewalDate: suggestedRenewal(changed, today) }
}

function suggestedRenewal({ startDate, renewalCycle }: ContractValues, today: Day): string {
  if (!isDay(startDate) || startDate >= LAST_START) return ''
  return comingRenewal(startDate, renewalCycle, today)
}

// The next date would be beyond the largest one.
const LAST_START = '2999-01-01'
