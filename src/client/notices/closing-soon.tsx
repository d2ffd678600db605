import { Group, Text } from '@mantine/core'
import { ExclamationTriangleIcon } from '@radix-ui/react-icons'
import { closesText, type Notice } from './notice-words.ts'

/** That a window is about to close without notice, why, and what can still be done. */
export function ClosingSoon({ warning }: { warning: NonNullable<Notice['warning']> }) {
  return (
    <Group gap={6} wrap="nowrap" align="flex-start">
      <ExclamationTriangleIcon
        aria-hidden
        style={{ flex: 'none', marginTop: 3, color: 'var(--mantine-color-error)' }}
      />
      <Text size="sm" fw={500}>
        {`${closesText(warning.daysLeft)}. ${warning.why}. ${warning.remedy}`}
      </Text>
    </Group>
  )
}
