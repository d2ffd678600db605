import { Button } from '@mantine/core'
import { ArrowDownIcon, ArrowUpIcon } from '@radix-ui/react-icons'

interface DirectionToggleProps {
  direction: 'asc' | 'desc'
  /** Nothing to reverse: hidden, but keeps its space. */
  disabled?: boolean
  onDirection: (direction: 'asc' | 'desc') => void
}

/** Reverses the order of a sorted list. */
export function DirectionToggle({ direction, disabled = false, onDirection }: DirectionToggleProps) {
  const ascending = direction === 'asc'
  return (
    <Button
      variant="default"
      px="sm"
      disabled={disabled}
      style={{ visibility: disabled ? 'hidden' : undefined }}
      leftSection={ascending ? <ArrowUpIcon /> : <ArrowDownIcon />}
      aria-label={ascending ? 'Asc: sorted in ascending order' : 'Desc: sorted in descending order'}
      onClick={() => onDirection(ascending ? 'desc' : 'asc')}
    >
      {ascending ? 'Asc' : 'Desc'}
    </Button>
  )
}
