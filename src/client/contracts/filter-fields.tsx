import { Input, NativeSelect, SimpleGrid, TextInput } from '@mantine/core'
import { useId, useState } from 'react'
import { readTypedAmount } from '#shared/domain/amount-text.ts'
import { isDay } from '#shared/domain/day.ts'
import { RENEWS } from '#shared/domain/renews.ts'
import { ContractFilter } from '#shared/schemas/filters.ts'
import { trpc } from '#client/api/trpc.ts'
import { TagsField } from '#client/tags/tags-field.tsx'
import { RENEWS_LABELS } from '#client/text/contract-words.ts'
import { unclearAmount } from '#client/text/unclear-amount.ts'
import { CustomerPicker } from './form/customer-picker.tsx'
import type { ContractsSearch } from './contracts-search.ts'
import classes from './filter-fields.module.css'

interface FilterFieldsProps {
  search: ContractsSearch
  onFilter: (changes: Partial<ContractsSearch>) => void
}

const KINDS = [{ value: '', label: 'All' }, ...RENEWS.map((value) => ({ value, label: RENEWS_LABELS[value] }))]

/** Filters that are entered. */
export function FilterFields({ search, onFilter }: FilterFieldsProps) {
  const { renews, renewalFrom, renewalThrough, amountFrom, amountThrough, tag } = search
  return (
    <SimpleGrid cols={{ base: 1, xs: 2, md: 3 }} spacing="sm">
      <CustomerFilter customerId={search.customerId} onFilter={onFilter} />
      <TagsField
        placeholder="All of these"
        value={tag ?? ''}
        onChange={(tags) => onFilter({ tag: tags || undefined })}
      />
      <NativeSelect
        label="Renews"
        data={KINDS}
        value={renews ?? ''}
        onChange={({ currentTarget: { value } }) => onFilter({ renews: RENEWS.find((one) => one === value) })}
      />
      <Input.Wrapper label="Renewal Date" labelElement="div">
        <div className={classes.range}>
          <DayFilter label="Renewal date from" value={renewalFrom} onDay={(day) => onFilter({ renewalFrom: day })} />
          <span>to</span>
          <DayFilter
            label="Renewal date to"
            value={renewalThrough}
            onDay={(day) => onFilter({ renewalThrough: day })}
          />
        </div>
      </Input.Wrapper>
      <AmountRange from={amountFrom} through={amountThrough} onFilter={onFilter} />
    </SimpleGrid>
  )
}

interface CustomerFilterProps extends Pick<FilterFieldsProps, 'onFilter'> {
  customerId: number | undefined
}

function CustomerFilter({ customerId, onFilter }: CustomerFilterProps) {
  const [typed, setTyped] = useState('')
  const { data } = trpc.customers.get.useQuery({ id: customerId ?? 0 }, { enabled: customerId !== undefined })
  return (
    <CustomerPicker
      required={false}
      chosen={customerId ?? null}
      text={customerId === undefined ? typed : (data?.name ?? '')}
      onPick={(picked) => {
        setTyped(picked.customerId === null ? picked.customerName : '')
        const id = picked.customerId ?? undefined
        if (id !== customerId) onFilter({ customerId: id })
      }}
    />
  )
}

interface DayFilterProps {
  label: string
  value: string | undefined
  onDay: (day: ContractsSearch['renewalFrom']) => void
}

function DayFilter({ label, value = '', onDay }: DayFilterProps) {
  return (
    <TextInput
      type="date"
      aria-label={label}
      max="2999-12-31"
      value={value}
      onChange={({ currentTarget: { value: written } }) => {
        // Half a date is none.
        if (written === '') onDay(undefined)
        else if (isDay(written) && written >= '1900') onDay(written)
      }}
    />
  )
}

interface AmountRangeProps extends Pick<FilterFieldsProps, 'onFilter'> {
  from: number | undefined
  through: number | undefined
}

function AmountRange({ from, through, onFilter }: AmountRangeProps) {
  const [faults, setFaults] = useState<{ from?: string | undefined; through?: string | undefined }>({})
  const errorId = useId()
  const error = faults.from ?? faults.through
  return (
    <Input.Wrapper label="Amount" labelElement="div" error={error} errorProps={{ id: errorId }}>
      <div className={classes.range}>
        <AmountFilter
          key={`from ${from}`}
          label="Amount from"
          value={from}
          errorId={faults.from && errorId}
          onAmount={(amountFrom) => onFilter({ amountFrom })}
          onFault={(fault) => setFaults({ ...faults, from: fault })}
        />
        <span>to</span>
        <AmountFilter
          key={`to ${through}`}
          label="Amount to"
          value={through}
          errorId={faults.through && errorId}
          onAmount={(amountThrough) => onFilter({ amountThrough })}
          onFault={(fault) => setFaults({ ...faults, through: fault })}
        />
      </div>
    </Input.Wrapper>
  )
}

interface AmountFilterProps {
  label: string
  value: number | undefined
  /** Where it is said what is wrong with it, if it is. */
  errorId: string | undefined
  onAmount: (amount: number | undefined) => void
  onFault: (fault: string | undefined) => void
}

/** Takes effect with Enter, or when it is left. */
function AmountFilter({ label, value, errorId, onAmount, onFault }: AmountFilterProps) {
  const [text, setText] = useState(value === undefined ? '' : String(value))
  const take = () => {
    const { amount, fault } = readFilter(text)
    onFault(fault)
    if (fault === undefined && amount !== value) onAmount(amount)
  }
  return (
    <Input
      // It would take the ID of the range, which has two fields.
      withAria={false}
      aria-label={label}
      aria-invalid={errorId !== undefined}
      aria-describedby={errorId}
      leftSection="$"
      inputMode="decimal"
      autoComplete="off"
      value={text}
      error={errorId !== undefined}
      onChange={({ currentTarget }) => setText(currentTarget.value)}
      onBlur={take}
      onKeyDown={({ key }) => key === 'Enter' && take()}
    />
  )
}

function readFilter(text: string): { amount?: number | undefined; fault?: string | undefined } {
  if (text.trim() === '') return {}
  const read = readTypedAmount(text)
  const { data, error } = ContractFilter.shape.amountFrom.safeParse(typeof read === 'number' ? read : Number.NaN)
  return { amount: data, fault: unclearAmount(text) ?? error?.issues[0]?.message }
}
