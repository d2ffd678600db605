import { Button } from '@mantine/core'

interface FilterChipProps {
  name: string
  on: boolean
  onClick: () => void
}

/** A filter that one press turns on or off. */
export function FilterChip({ name, on, onClick }: FilterChipProps) {
  return (
    <Button size="xs" radius="xl" variant={on ? 'filled' : 'default'} aria-pressed={on} onClick={onClick}>
      {name}
    </Button>
  )
}
