import '@mantine/core/styles/List.layer.css'
import { Box, List, Text } from '@mantine/core'
import { formatCount, formatDay } from '#client/text/format.ts'
import type { Question } from './import-answer.ts'
import { counted } from './import-words.ts'

type Mail = NonNullable<Question['mail']>

/** The emails that the contracts of a file would send, the first of them by name. */
export function MailCount({ emails, customers, isAll, first }: Mail) {
  const [count, readers] = [counted(emails, 'emails'), counted(customers, 'customers')]
  return (
    <Box mb="xs">
      <Text size="sm" mb={4}>
        {isAll ? `${count} to ${readers}` : `At least ${count} to at least ${readers}`} in the next 90 days:
      </Text>
      <List size="sm">
        {first.map(({ customerName, day }, place) => (
          <List.Item key={place} style={{ overflowWrap: 'anywhere' }}>
            {customerName}, on {formatDay(day)}
          </List.Item>
        ))}
        {emails > first.length && <List.Item>and {formatCount(emails - first.length)} more</List.Item>}
      </List>
    </Box>
  )
}
