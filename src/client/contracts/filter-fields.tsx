import { Input, NativeSelect, SimpleGrid, TextInput } from '@mantine/core'
import { useState } from 'react'
import { readTypedAmount } from '#shared/domain/amount-text.ts'
import { isDay } from '#shared/domain/day.ts'
import { RENEWS } from '#shared/domain/renews.ts'
import { trpc } from '#client/api/trpc.ts'
import { TagsField } from '#client/tags/tags-field.tsx'
import { RENEWS_LABELS } from '#client/text/contract-words.ts'
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
      <Input.Wrapper label="Amount" labelElement="div">
        <div className={classes.range}>
          <AmountFilter
            key={`from ${amountFrom}`}
            label="Amount from"
            value={amountFrom}
            onAmount={(amount) => onFilter({ amountFrom: amount })}
          />
          <span>to</span>
          <AmountFilter
            key={`to ${amountThrough}`}
            label="Amount to"
            value={amountThrough}
            onAmount={(amount) => onFilter({ amountThrough: amount })}
          />
        </div>
      </Input.Wrapper>
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

interface AmountFilterProps {
  label: string
  value: number | undefined
  onAmount: (amount: number | undefined) => void
}

/** Takes effect with Enter, or when it is left. */
function AmountFilter({ label, value, onAmount }: AmountFilterProps) {
  const [text, setText] = useState(value === undefined ? '' : String(value))
  const [isWrong, setWrong] = useState(false)
  const take = () => {
    const isEmpty = text.trim() === ''
    const read = readTypedAmount(text)
    const amount = typeof read === 'number' && read >= 0 ? read : undefined
    setWrong(!isEmpty && amount === undefined)
    if ((isEmpty || amount !== undefined) && amount !== value) onAmount(amount)
  }
  return (
    <TextInput
      aria-label={label}
      leftSection="$"
      inputMode="decimal"
      autoComplete="off"
      value={text}
      error={isWrong}
      onChange={({ currentTarget }) => setText(currentTarget.value)}
      onBlur={take}
      onKeyDown={({ key }) => key === 'Enter' && take()}
    />
  )
}
