import { NativeSelect, SimpleGrid, Text, TextInput } from '@mantine/core'
import { PRICE_CHANGES, type PriceChange } from '#shared/domain/price-change.ts'

interface Price {
  by: PriceChange['by']
  /** As typed. */
  value: string
  roundTo: string
}

interface PriceFieldsProps {
  values: Price
  onChange: (changes: Partial<Price>) => void
}

const BY_LABELS: Record<PriceChange['by'], string> = {
  percent: 'By percent',
  amount: 'By an amount',
  to: 'To an amount',
}
const VALUE_LABELS: Record<PriceChange['by'], string> = { percent: 'Percent', amount: 'Amount', to: 'New amount' }
const ROUND_TO = [
  { value: '0.01', label: 'The cent' },
  { value: '1', label: 'The dollar' },
  { value: '5', label: '5 dollars' },
  { value: '10', label: '10 dollars' },
]

/** How prices change. */
export function PriceFields({ values: { by, value, roundTo }, onChange }: PriceFieldsProps) {
  return (
    <>
      <Text size="sm">The new prices apply from the next renewal. The current terms keep their prices.</Text>
      <SimpleGrid cols={{ base: 1, sm: 3 }}>
        <NativeSelect
          label="Change"
          data={PRICE_CHANGES.map((one) => ({ value: one, label: BY_LABELS[one] }))}
          value={by}
          onChange={({ currentTarget }) =>
            onChange({ by: PRICE_CHANGES.find((one) => one === currentTarget.value) ?? by })
          }
        />
        <TextInput
          label={VALUE_LABELS[by]}
          required
          inputMode="decimal"
          description={by === 'to' ? undefined : 'A minus sign lowers prices'}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          value={value}
          onChange={({ currentTarget }) => onChange({ value: currentTarget.value })}
        />
        <NativeSelect
          label="Round to"
          data={ROUND_TO}
          value={roundTo}
          onChange={({ currentTarget }) => onChange({ roundTo: currentTarget.value })}
        />
      </SimpleGrid>
    </>
  )
}
