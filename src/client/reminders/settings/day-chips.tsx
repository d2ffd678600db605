import '@mantine/core/styles/Chip.layer.css'
import { Chip, Group, Text } from '@mantine/core'
import { useId } from 'react'
import { days as daysText } from '#client/text/contract-words.ts'

interface DayChipsProps {
  label: string
  hint?: string
  /** In the order in which they are shown and kept. */
  options: readonly number[]
  days: readonly number[]
  onDays: (days: number[]) => void
}

/** Offsets in days, each of which can be chosen. */
export function DayChips({ label, hint, options, days, onDays }: DayChipsProps) {
  const id = useId()
  return (
    <div role="group" aria-labelledby={id}>
      <Text id={id} size="sm" fw={600}>
        {label}
      </Text>
      {hint && (
        <Text size="sm" c="dimmed">
          {hint}
        </Text>
      )}
      <Group gap="xs" mt="xs">
        {options.map((option) => (
          <Chip
            key={option}
            checked={days.includes(option)}
            variant="light"
            onChange={() => onDays(toggled(days, option, options))}
          >
            {daysText(option)}
          </Chip>
        ))}
      </Group>
    </div>
  )
}

/** The days with one more, or one less, in the order of the options. */
function toggled(days: readonly number[], day: number, options: readonly number[]): number[] {
  const chosen = days.includes(day) ? days.filter((one) => one !== day) : [...days, day]
  return options.filter((option) => chosen.includes(option))
}
