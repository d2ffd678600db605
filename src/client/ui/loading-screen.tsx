import { Center, Loader, Stack, Text, Title } from '@mantine/core'

interface LoadingScreenProps {
  title?: string
  hint?: string
}

/** Shown while a whole screen loads. */
export function LoadingScreen({ title, hint }: LoadingScreenProps) {
  return (
    <Center mih="60vh" p="md" role="status" aria-label={title ?? 'Loading...'}>
      <Stack align="center" gap="xs" ta="center">
        <Loader aria-hidden mb="xs" />
        {title && (
          <Title order={1} size="h3">
            {title}
          </Title>
        )}
        {hint && <Text c="dimmed">{hint}</Text>}
      </Stack>
    </Center>
  )
}
