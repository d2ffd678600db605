import { Group, Stack, Title } from '@mantine/core'
import { useId, type ReactNode } from 'react'

interface PageSectionProps {
  title: ReactNode
  /** Beside the title. */
  action?: ReactNode
  children: ReactNode
}

/** A part of a page with a heading of its own. */
export function PageSection({ title, action, children }: PageSectionProps) {
  const heading = useId()
  return (
    <Stack component="section" gap="sm" aria-labelledby={heading}>
      <Group justify="space-between">
        <Title order={2} size="h4" id={heading}>
          {title}
        </Title>
        {action}
      </Group>
      {children}
    </Stack>
  )
}
