import { Button, Group, Text } from '@mantine/core'
import { ChevronLeftIcon, ChevronRightIcon } from '@radix-ui/react-icons'
import type { ReactNode } from 'react'
import { formatCount } from '#client/text/format.ts'
import { Explained } from '#client/ui/explained.tsx'
import type { useNeighbors } from './neighbors.ts'

interface RecordNavigationProps {
  /** The link to the list. */
  children: ReactNode
  /** Undefined if the record was not opened from a list. */
  steps: ReturnType<typeof useNeighbors>
}

/** Leads from a record back to its list, and to the records before and after it there. */
export function RecordNavigation({ children, steps }: RecordNavigationProps) {
  return (
    <Group justify="space-between" gap="sm" mih={30}>
      {children}
      {steps && (
        <Group gap="xs" role="group" aria-label="In the list">
          <Text component="div" size="sm" c="dimmed">
            <Explained how="Its place in the list from which it was opened, and how many that list has">
              {`${formatCount(steps.number)} of ${formatCount(steps.total)}`}
            </Explained>
          </Text>
          <Step label="Previous" onStep={steps.onPrevious} icon={<ChevronLeftIcon aria-hidden />} />
          <Step label="Next" onStep={steps.onNext} icon={<ChevronRightIcon aria-hidden />} />
        </Group>
      )}
    </Group>
  )
}

interface StepProps {
  label: string
  onStep: (() => void) | undefined
  icon: ReactNode
}

// Not `disabled`, which would lose the focus at the end of the list.
function Step({ label, onStep, icon }: StepProps) {
  const isEnd = onStep === undefined
  return (
    <Button
      size="xs"
      px="xs"
      variant="default"
      aria-label={label}
      aria-keyshortcuts={label === 'Next' ? 'j' : 'k'}
      aria-disabled={isEnd}
      data-disabled={isEnd}
      onClick={() => onStep?.()}
    >
      {icon}
    </Button>
  )
}
