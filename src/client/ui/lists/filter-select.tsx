import { Input } from '@mantine/core'
import { CaretSortIcon } from '@radix-ui/react-icons'

interface FilterSelectProps<Value extends string> {
  label: string
  options: readonly { value: Value; label: string }[]
  /** The label for no choice; without it there is always a value. */
  none?: string
  value: Value | undefined
  onChoose: (value: Value | undefined) => void
}

/** A filter above a list, with a name for screen readers. */
export function FilterSelect<Value extends string>({
  label,
  options,
  none,
  value,
  onChoose,
}: FilterSelectProps<Value>) {
  return (
    <Input
      component="select"
      pointer
      aria-label={label}
      rightSection={<CaretSortIcon aria-hidden />}
      rightSectionPointerEvents="none"
      value={value ?? ''}
      onChange={({ currentTarget }) => onChoose(options.find((option) => option.value === currentTarget.value)?.value)}
    >
      {none !== undefined && <option value="">{none}</option>}
      {options.map((option) => (
        <option key={option.value} value={option.value}>
          {option.label}
        </option>
      ))}
    </Input>
  )
}
