import { Paper, Stack, Text, Title } from '@mantine/core'
import { useId, type ReactNode } from 'react'

interface FormSectionProps {
  title: string
  hint?: string
  children: ReactNode
}

/** The fields of one subject, under a heading of their own. */
export function FormSection({ title, hint, children }: FormSectionProps) {
  const heading = useId()
  return (
    <Paper component="section" withBorder p="lg" aria-labelledby={heading}>
      <Stack>
        <div>
          <Title order={2} size="h4" id={heading}>
            {title}
          </Title>
          {hint && (
            <Text size="sm" c="dimmed">
              {hint}
            </Text>
          )}
        </div>
        {children}
      </Stack>
    </Paper>
  )
}
