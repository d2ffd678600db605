import { Anchor, Text } from '@mantine/core'

/** Below the button that continues to payment. */
export function AcceptedTerms() {
  return (
    <Text size="sm" c="dimmed">
      By continuing you accept the{' '}
      <Anchor underline="always" href="/terms">
        Terms of Service
      </Anchor>{' '}
      and the{' '}
      <Anchor underline="always" href="/privacy">
        Privacy Policy
      </Anchor>
      .
    </Text>
  )
}
