import { Button } from '@mantine/core'

interface FilterChipProps {
  name: string
  /** A longer description, also for screen readers. */
  title?: string
  on: boolean
  onClick: () => void
}

/** A filter that a click turns on or off. */
export function FilterChip({ name, title, on, onClick }: FilterChipProps) {
  return (
    <Button size="xs" radius="xl" variant={on ? 'filled' : 'default'} aria-pressed={on} title={title} onClick={onClick}>
      {name}
    </Button>
  )
}
