import { Group, Stack, Text } from '@mantine/core'
import { formatDay } from '#client/text/format.ts'
import { ChangeButton } from '#client/forms/read-only.tsx'
import { meansText, type NoticeRule } from './notice-words.ts'

interface RuleEntryProps {
  rule: NoticeRule
  advice: string
  onChange: () => void
  onRemove: () => void
}

/** A rule in the list of them. */
export function RuleEntry({ rule, advice, onChange, onRemove }: RuleEntryProps) {
  const { name, preset, exceptMonthly } = rule
  return (
    <Group component="li" justify="space-between" gap="xs" align="flex-start">
      <Stack gap={2} flex="1 1 16rem">
        <Text fw={500}>{name}</Text>
        <Text size="sm">
          {`${capitalized(rule.days)}, ${meansText(rule.means)}${exceptMonthly ? ', but not if the next term is a month or less' : ''}`}
        </Text>
        <Law rule={rule} advice={advice} />
      </Stack>
      <Group gap={4}>
        {preset === null && (
          <ChangeButton size="compact-sm" variant="subtle" aria-label={`Change ${name}`} onClick={onChange}>
            Change
          </ChangeButton>
        )}
        <ChangeButton size="compact-sm" variant="subtle" color="red" aria-label={`Remove ${name}`} onClick={onRemove}>
          Remove
        </ChangeButton>
      </Group>
    </Group>
  )
}

/** Where a rule was taken from, and what it is not. */
export function Law({ rule: { citation, readOn, how }, advice }: { rule: NoticeRule; advice: string }) {
  if (citation === null) return null
  return (
    <Text size="sm" c="dimmed">
      {`${citation}, as read on ${readOn ? formatDay(readOn) : ''}. ${how ?? ''} ${advice}`}
    </Text>
  )
}

function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
