import { Button, Group, Text } from '@mantine/core'
import { useId } from 'react'
import { DETAILS, TEXT_VARIABLES, type TextKind } from '#shared/domain/reminder-text.ts'

interface VariableChipsProps {
  kind: TextKind
  onInsert: (variable: string) => void
}

/** The variables of a template, with what each becomes. A click inserts one at the cursor. */
export function VariableChips({ kind, onInsert }: VariableChipsProps) {
  const id = useId()
  const variables = { ...TEXT_VARIABLES[kind], [DETAILS]: 'a box with the amount and the renewal date' }
  return (
    <div role="group" aria-labelledby={id}>
      <Text id={id} size="sm" fw={600}>
        Variables
      </Text>
      <Text size="sm" c="dimmed">
        Each is replaced with that customer's details.
      </Text>
      <Group gap="xs" mt="xs">
        {Object.entries(variables).map(([name, meaning]) => (
          <Button
            key={name}
            variant="default"
            size="compact-sm"
            title={meaning}
            aria-label={`Insert {{${name}}}: ${meaning}`}
            onClick={() => onInsert(name)}
          >
            {`{{${name}}}`}
          </Button>
        ))}
      </Group>
    </div>
  )
}
