import { Button, Group, Stack, Text } from '@mantine/core'
import { useId } from 'react'
import { blocksOf, TEXT_VARIABLES, type TextBlock, type TextKind } from '#shared/domain/reminder-text.ts'

const BLOCKS: Record<TextBlock, string> = {
  details: "a box with the contract's title, reference, amount, and dates",
  answerLink: "a button for the customer's answer; if you leave it out, it is added at the end",
}

interface VariableChipsProps {
  kind: TextKind
  onInsert: (variable: string) => void
}

/** The variables of a template, with what replaces each. A click inserts one at the cursor. */
export function VariableChips({ kind, onInsert }: VariableChipsProps) {
  const id = useId()
  const variables = {
    ...TEXT_VARIABLES[kind],
    ...Object.fromEntries(blocksOf(kind).map((block) => [block, BLOCKS[block]])),
  }
  return (
    <div role="group" aria-labelledby={id}>
      <Text id={id} size="sm" fw={600}>
        Variables
      </Text>
      <Text size="sm" c="dimmed">
        Press one to insert it. Each email shows that customer's details in its place.
      </Text>
      <Stack component="ul" gap={6} mt="xs" p={0} mb={0} style={{ listStyle: 'none' }}>
        {Object.entries(variables).map(([name, meaning]) => (
          <Group component="li" key={name} gap="xs" wrap="nowrap">
            <Button
              variant="default"
              flex="none"
              size="compact-sm"
              aria-label={`Insert {{${name}}}: ${meaning}`}
              onClick={() => onInsert(name)}
            >
              {`{{${name}}}`}
            </Button>
            <Text size="sm" c="dimmed" aria-hidden>
              {meaning}
            </Text>
          </Group>
        ))}
      </Stack>
    </div>
  )
}
