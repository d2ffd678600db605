import { TextInput } from '@mantine/core'

interface AmountFieldProps {
  value: string
  error: string | undefined
  onChange: (value: string) => void
}

/** What a next term costs, as typed. */
export function AmountField({ value, error, onChange }: AmountFieldProps) {
  return (
    <TextInput
      label="Amount"
      required
      inputMode="decimal"
      leftSection="$"
      autoComplete="off"
      value={value}
      error={error}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    />
  )
}
