import { Alert, Group, Text } from '@mantine/core'
import type { ReactNode } from 'react'

interface WarningProps {
  title: string
  action?: ReactNode
  color?: 'yellow' | 'green'
  children: ReactNode
}

/** A banner with something to do beside its text. */
export function Warning({ title, action, color = 'yellow', children }: WarningProps) {
  return (
    <Alert color={color} mb="md" role="status" title={title}>
      <Group justify="space-between" gap="sm">
        <Text size="sm" flex={1} miw={240} style={{ overflowWrap: 'anywhere' }}>
          {children}
        </Text>
        {action}
      </Group>
    </Alert>
  )
}
