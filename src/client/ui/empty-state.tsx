import { Stack, Text, ThemeIcon, Title } from '@mantine/core'
import { ArchiveIcon } from '@radix-ui/react-icons'
import type { ReactNode } from 'react'

interface EmptyStateProps {
  title: string
  hint?: string | undefined
  icon?: ReactNode
  /** What can be done about it, usually one button. */
  action?: ReactNode
}

/** Shown in place of an empty list; says why it is empty. */
export function EmptyState({ title, hint, icon = <ArchiveIcon width={20} height={20} />, action }: EmptyStateProps) {
  return (
    <Stack align="center" gap="xs" px="md" py={48} ta="center">
      <ThemeIcon variant="light" size={48} radius="xl" aria-hidden>
        {icon}
      </ThemeIcon>
      <Title order={2} size="h4">
        {title}
      </Title>
      {hint && <Text c="dimmed">{hint}</Text>}
      {action}
    </Stack>
  )
}
