import { Paper, Stack, Text, Title } from '@mantine/core'
import { useId, type ReactNode } from 'react'

/** One subject of the page. */
export function Part({ title, hint, children }: { title: string; hint: string; children: ReactNode }) {
  const heading = useId()
  return (
    <Paper component="section" withBorder p="lg" aria-labelledby={heading}>
      <Stack>
        <div>
          <Title order={2} size="h4" id={heading}>
            {title}
          </Title>
          <Text size="sm" c="dimmed">
            {hint}
          </Text>
        </div>
        {children}
      </Stack>
    </Paper>
  )
}
