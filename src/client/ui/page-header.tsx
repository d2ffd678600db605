import { Group, Stack, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import classes from './page-header.module.css'

interface PageHeaderProps {
  title: string
  description?: string
  /** The page's buttons; on a phone they share the full width. */
  children?: ReactNode
}

/** The first heading of a page, and what can be done on it. */
export function PageHeader({ title, description, children }: PageHeaderProps) {
  return (
    <Group justify="space-between" align="flex-end" gap="md">
      <Stack gap={4}>
        <Title order={1} size="h2" style={{ overflowWrap: 'anywhere' }}>
          {title}
        </Title>
        {description && (
          <Text c="dimmed" style={{ overflowWrap: 'anywhere' }}>
            {description}
          </Text>
        )}
      </Stack>
      {children && (
        <Group gap="sm" className={classes.actions ?? ''}>
          {children}
        </Group>
      )}
    </Group>
  )
}
