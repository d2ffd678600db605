import { Group, Paper, Stack, Text, Title } from '@mantine/core'
import { useId, type ReactNode } from 'react'

interface CardProps {
  title: string
  children: ReactNode
  /** What can be done with it, beside the heading. */
  action?: ReactNode
  /** Lets an address scroll to it. */
  id?: string
}

/** One subject of a page of settings. */
export function Card({ title, children, action, id }: CardProps) {
  const heading = useId()
  return (
    <Paper component="section" withBorder p="lg" id={id} aria-labelledby={heading} style={BELOW_HEADER}>
      <Stack h="100%">
        <Group justify="space-between" mih={36}>
          <Title order={2} size="h4" id={heading}>
            {title}
          </Title>
          {action}
        </Group>
        {children}
      </Stack>
    </Paper>
  )
}

// The app's header covers the top of the window.
const BELOW_HEADER = { scrollMarginTop: 80 }

/** A name and a value, in a description list. */
export function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <Text component="dt" size="sm" c="dimmed">
        {name}
      </Text>
      <Text component="dd" m={0} style={{ overflowWrap: 'anywhere' }}>
        {children}
      </Text>
    </div>
  )
}
