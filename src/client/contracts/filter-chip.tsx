import { Button } from '@mantine/core'

interface FilterChipProps {
  name: string
  /** What it says in more words, to screen readers as well. */
  title?: string
  on: boolean
  onClick: () => void
}

/** A filter that one press turns on or off. */
export function FilterChip({ name, title, on, onClick }: FilterChipProps) {
  return (
    <Button size="xs" radius="xl" variant={on ? 'filled' : 'default'} aria-pressed={on} title={title} onClick={onClick}>
      {name}
    </Button>
  )
}
